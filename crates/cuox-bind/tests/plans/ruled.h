#include <stddef.h>
typedef void BOX;
typedef int box_id;
typedef enum { BOX_OK, BOX_DONE, BOX_FAILED } box_code;

BOX *box_begin(int size);
void box_forget(BOX *box);
box_code box_next(BOX *box, int *key, char *text, int room);
box_code box_take(box_id box, const float *values, int n);
box_code box_new_id(box_id *id);
box_code box_drop_id(box_id id);
char *box_text(BOX *box);
void box_text_free(char *text);
int box_internal_check(BOX *box);
box_code box_call(BOX *box, int (*with)(int, void *), void *what, int reserved);
int box_try(BOX *box);
const char *box_why(box_code code);
long box_position(BOX *box, int from);
BOX *box_parent(BOX *box);
