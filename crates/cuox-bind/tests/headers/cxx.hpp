#define NULL __null

namespace outer {
int in_namespace(int);
class hidden {
public:
    void method();
};
}

struct plain {
    int a;
    plain() : a(1) {}
    int get() const { return a; }
};

struct base { int b; };
struct derived : base { int d; };
struct virtual_one { virtual void f(); };
struct owner {
    ~owner();
    int x;
};
struct holder { owner o; };
struct nothing {};
enum class scoped : unsigned char { A, B = 200 };

extern "C" {
typedef struct { float x, y, z; } vec3;
int by_reference(const plain &p, int &out);
int defaults(int a, int b = 3, double c = 1.5, const char *d = nullptr, const char *e = "text", scoped s = scoped::B, void *n = NULL);
plain by_value(plain p);
int takes_derived(derived d);
int takes_derived_pointer(derived *d);
int takes_owner(owner o);
int takes_holder(holder h);
int takes_nothing(nothing n);
int rvalue(int &&x);
bool truth(bool b, wchar_t w, char16_t c, char32_t d);
extern int c_variable;
inline int inlined_c() { return 1; }
}

extern "C" int single(vec3 v);
int free_function(int);
int free_function(double);
extern int cxx_variable;
template <typename T> T identity(T x) { return x; }
template <typename T> struct box { T t; };
constexpr int LIMIT = 4 * 8;
const double RATIO = 0.5;
inline constexpr int INLINED = 7;
using index_t = unsigned int;
extern "C" index_t use_alias(index_t i);
static_assert(LIMIT == 32, "");
