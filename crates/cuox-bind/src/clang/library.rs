//! libclang: finding it, loading it, and its functions.

use std::collections::HashMap;
use std::ffi::{CStr, c_char, c_int, c_longlong, c_uint, c_ulonglong, c_void};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock, PoisonError};

use clang_sys::{
    CXChildVisitResult, CXClientData, CXCursor, CXCursorVisitor, CXDiagnostic, CXErrorCode,
    CXEvalResult, CXFieldVisitor, CXFile, CXIndex, CXPrintingPolicy, CXSourceLocation,
    CXSourceRange, CXString, CXTargetInfo, CXToken, CXTranslationUnit, CXType, CXUnsavedFile,
};

use super::diagnostic::ParseError;

/// Declares the table of those of libclang's functions that are used here (clang-sys's own table cannot be filled from
/// a path), and how it is filled.
macro_rules! functions {
    ($(fn $name:ident($($parameter:ty),*) $(-> $result:ty)?;)*) => {
        #[allow(non_snake_case, missing_docs, reason = "they are libclang's names")]
        pub struct Functions {
            $(pub $name: unsafe extern "C" fn($($parameter),*) $(-> $result)?,)*
        }

        impl Functions {
            /// Finds every function in a library; an error is the name of one that it lacks.
            fn load(library: &libloading::Library) -> Result<Functions, &'static str> {
                Ok(Functions {
                    $($name: {
                        // SAFETY: the type is that of libclang's documentation.
                        let symbol = unsafe { library.get(concat!(stringify!($name), "\0").as_bytes()) };
                        *symbol.map_err(|_| stringify!($name))?
                    },)*
                })
            }
        }
    };
}

functions! {
    fn clang_CXXConstructor_isCopyConstructor(CXCursor) -> c_uint;
    fn clang_CXXConstructor_isMoveConstructor(CXCursor) -> c_uint;
    fn clang_CXXMethod_isDefaulted(CXCursor) -> c_uint;
    fn clang_CXXMethod_isVirtual(CXCursor) -> c_uint;
    fn clang_Cursor_Evaluate(CXCursor) -> CXEvalResult;
    fn clang_Cursor_getArgument(CXCursor, c_uint) -> CXCursor;
    fn clang_Cursor_getCommentRange(CXCursor) -> CXSourceRange;
    fn clang_Cursor_getMangling(CXCursor) -> CXString;
    fn clang_Cursor_getNumArguments(CXCursor) -> c_int;
    fn clang_Cursor_getOffsetOfField(CXCursor) -> c_longlong;
    fn clang_Cursor_getRawCommentText(CXCursor) -> CXString;
    fn clang_Cursor_getStorageClass(CXCursor) -> c_int;
    fn clang_Cursor_isBitField(CXCursor) -> c_uint;
    fn clang_Cursor_isFunctionInlined(CXCursor) -> c_uint;
    fn clang_Cursor_isMacroBuiltin(CXCursor) -> c_uint;
    fn clang_Cursor_isMacroFunctionLike(CXCursor) -> c_uint;
    fn clang_Cursor_isNull(CXCursor) -> c_int;
    fn clang_EvalResult_dispose(CXEvalResult);
    fn clang_EvalResult_getAsDouble(CXEvalResult) -> f64;
    fn clang_EvalResult_getAsLongLong(CXEvalResult) -> c_longlong;
    fn clang_EvalResult_getAsStr(CXEvalResult) -> *const c_char;
    fn clang_EvalResult_getAsUnsigned(CXEvalResult) -> c_ulonglong;
    fn clang_EvalResult_getKind(CXEvalResult) -> c_int;
    fn clang_EvalResult_isUnsignedInt(CXEvalResult) -> c_uint;
    fn clang_PrintingPolicy_dispose(CXPrintingPolicy);
    fn clang_Type_getAlignOf(CXType) -> c_longlong;
    fn clang_Type_getModifiedType(CXType) -> CXType;
    fn clang_Type_getNamedType(CXType) -> CXType;
    fn clang_Type_getNullability(CXType) -> c_int;
    fn clang_Type_getSizeOf(CXType) -> c_longlong;
    fn clang_Type_visitFields(CXType, CXFieldVisitor, CXClientData) -> c_uint;
    fn clang_TargetInfo_dispose(CXTargetInfo);
    fn clang_TargetInfo_getPointerWidth(CXTargetInfo) -> c_int;
    fn clang_TargetInfo_getTriple(CXTargetInfo) -> CXString;
    fn clang_createIndex(c_int, c_int) -> CXIndex;
    fn clang_disposeDiagnostic(CXDiagnostic);
    fn clang_disposeIndex(CXIndex);
    fn clang_disposeString(CXString);
    fn clang_disposeTokens(CXTranslationUnit, *mut CXToken, c_uint);
    fn clang_disposeTranslationUnit(CXTranslationUnit);
    fn clang_equalCursors(CXCursor, CXCursor) -> c_uint;
    fn clang_getArgType(CXType, c_uint) -> CXType;
    fn clang_getArrayElementType(CXType) -> CXType;
    fn clang_getArraySize(CXType) -> c_longlong;
    fn clang_getCString(CXString) -> *const c_char;
    fn clang_getCanonicalCursor(CXCursor) -> CXCursor;
    fn clang_getCanonicalType(CXType) -> CXType;
    fn clang_getClangVersion() -> CXString;
    fn clang_getCursorDefinition(CXCursor) -> CXCursor;
    fn clang_getCursorExtent(CXCursor) -> CXSourceRange;
    fn clang_getCursorLinkage(CXCursor) -> c_int;
    fn clang_getCursorLocation(CXCursor) -> CXSourceLocation;
    fn clang_getCursorPlatformAvailability(CXCursor, *mut c_int, *mut CXString, *mut c_int, *mut CXString, *mut c_void, c_int) -> c_int;
    fn clang_getCursorPrettyPrinted(CXCursor, CXPrintingPolicy) -> CXString;
    fn clang_getCursorPrintingPolicy(CXCursor) -> CXPrintingPolicy;
    fn clang_getCursorReferenced(CXCursor) -> CXCursor;
    fn clang_getCursorResultType(CXCursor) -> CXType;
    fn clang_getCursorSpelling(CXCursor) -> CXString;
    fn clang_getCursorType(CXCursor) -> CXType;
    fn clang_getCursorUSR(CXCursor) -> CXString;
    fn clang_getDiagnostic(CXTranslationUnit, c_uint) -> CXDiagnostic;
    fn clang_getDiagnosticLocation(CXDiagnostic) -> CXSourceLocation;
    fn clang_getDiagnosticSeverity(CXDiagnostic) -> c_int;
    fn clang_getDiagnosticSpelling(CXDiagnostic) -> CXString;
    fn clang_getElementType(CXType) -> CXType;
    fn clang_getEnumConstantDeclUnsignedValue(CXCursor) -> c_ulonglong;
    fn clang_getEnumConstantDeclValue(CXCursor) -> c_longlong;
    fn clang_getEnumDeclIntegerType(CXCursor) -> CXType;
    fn clang_getExpansionLocation(CXSourceLocation, *mut CXFile, *mut c_uint, *mut c_uint, *mut c_uint);
    fn clang_getFieldDeclBitWidth(CXCursor) -> c_int;
    fn clang_getFileContents(CXTranslationUnit, CXFile, *mut usize) -> *const c_char;
    fn clang_getFileName(CXFile) -> CXString;
    fn clang_getFunctionTypeCallingConv(CXType) -> c_int;
    fn clang_getIncludedFile(CXCursor) -> CXFile;
    fn clang_getNumArgTypes(CXType) -> c_int;
    fn clang_getNumDiagnostics(CXTranslationUnit) -> c_uint;
    fn clang_getPointeeType(CXType) -> CXType;
    fn clang_getRangeEnd(CXSourceRange) -> CXSourceLocation;
    fn clang_getRangeStart(CXSourceRange) -> CXSourceLocation;
    fn clang_getResultType(CXType) -> CXType;
    fn clang_getTokenKind(CXToken) -> c_int;
    fn clang_getTokenSpelling(CXTranslationUnit, CXToken) -> CXString;
    fn clang_getTranslationUnitCursor(CXTranslationUnit) -> CXCursor;
    fn clang_getTranslationUnitTargetInfo(CXTranslationUnit) -> CXTargetInfo;
    fn clang_getTypeDeclaration(CXType) -> CXCursor;
    fn clang_getTypeSpelling(CXType) -> CXString;
    fn clang_getTypedefDeclUnderlyingType(CXCursor) -> CXType;
    fn clang_hashCursor(CXCursor) -> c_uint;
    fn clang_isConstQualifiedType(CXType) -> c_uint;
    fn clang_isFunctionTypeVariadic(CXType) -> c_uint;
    fn clang_parseTranslationUnit2(CXIndex, *const c_char, *const *const c_char, c_int, *mut CXUnsavedFile, c_uint, c_int, *mut CXTranslationUnit) -> CXErrorCode;
    fn clang_toggleCrashRecovery(c_uint);
    fn clang_tokenize(CXTranslationUnit, CXSourceRange, *mut *mut CXToken, *mut c_uint);
    fn clang_visitChildren(CXCursor, CXCursorVisitor, CXClientData) -> c_uint;
}

// Results of visitors; the type is only named above.
const _: CXChildVisitResult = clang_sys::CXChildVisit_Continue;

/// A loaded libclang. It is never unloaded.
pub struct Libclang {
    /// Its functions.
    pub functions: Functions,
    /// The file it was loaded from.
    pub path: PathBuf,
    /// The version as libclang states it.
    pub version: String,
}

impl Libclang {
    /// Loads a library, unless it is loaded.
    pub fn load(path: &Path) -> Result<&'static Libclang, ParseError> {
        type Loaded = Mutex<HashMap<PathBuf, &'static Libclang>>;
        static LOADED: OnceLock<Loaded> = OnceLock::new();
        let loaded = LOADED.get_or_init(Mutex::default);
        let mut loaded = loaded.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(library) = loaded.get(path) {
            return Ok(library);
        }
        let unusable = |reason: String| ParseError::LibclangUnusable {
            path: path.to_owned(),
            reason,
        };
        // SAFETY: libclang's initialisers do nothing but initialise.
        let library = unsafe { libloading::Library::new(path) };
        let library = library.map_err(|error| unusable(error.to_string()))?;
        let functions = Functions::load(&library).map_err(|name| {
            unusable(format!(
                "it has no function `{name}`: libclang 10 or newer is needed (`pip install libclang`)"
            ))
        })?;
        // Functions of it are kept.
        std::mem::forget(library);
        // SAFETY: the string was made by `clang_getClangVersion` just now and is read once.
        let version = unsafe { functions.string((functions.clang_getClangVersion)()) };
        let new: &'static Libclang = Box::leak(Box::new(Libclang {
            functions,
            path: path.to_owned(),
            version,
        }));
        loaded.insert(path.to_owned(), new);
        Ok(new)
    }

    /// The major version, where it says one.
    pub fn major(&self) -> Option<u32> {
        let digits = |text: &str| {
            let end = text.find(|c: char| !c.is_ascii_digit());
            text[..end.unwrap_or(text.len())].parse().ok()
        };
        let at = self.version.find("version ")?;
        digits(&self.version[at + "version ".len()..])
    }
}

/// While there is one, libclang turns its crashes into errors. It does so with handlers of signals that belong to the
/// whole process, where the software GPU has one for kernels' accesses: afterwards all handlers are as they were.
pub struct Recovery(&'static Libclang);

/// The number of [`Recovery`] values that exist.
static RECOVERIES: Mutex<u32> = Mutex::new(0);

impl Recovery {
    /// Sets the handlers, unless they are set.
    pub fn new(clang: &'static Libclang) -> Recovery {
        let mut count = RECOVERIES.lock().unwrap_or_else(PoisonError::into_inner);
        *count += 1;
        // SAFETY: any int is permitted; libclang sets its handlers once, and `RECOVERIES` is locked meanwhile.
        unsafe { (clang.functions.clang_toggleCrashRecovery)(1) };
        Recovery(clang)
    }
}

impl Drop for Recovery {
    fn drop(&mut self) {
        let mut count = RECOVERIES.lock().unwrap_or_else(PoisonError::into_inner);
        *count -= 1;
        if *count == 0 {
            // SAFETY: any int is permitted; libclang puts the earlier handlers back, and `RECOVERIES` is locked
            // meanwhile.
            unsafe { (self.0.functions.clang_toggleCrashRecovery)(0) };
        }
    }
}

impl Functions {
    /// The text of a string of libclang's, which is given back.
    ///
    /// # Safety
    /// The string must be one that these functions have made, and may be passed once.
    pub unsafe fn string(&self, string: CXString) -> String {
        // SAFETY: the string is one of libclang's by this function's contract; it is copied before it is disposed of,
        // once.
        unsafe {
            let text = (self.clang_getCString)(string);
            let own = match text.is_null() {
                true => String::new(),
                false => CStr::from_ptr(text).to_string_lossy().into_owned(),
            };
            (self.clang_disposeString)(string);
            own
        }
    }
}

/// The path of libclang: an explicit path, `CUOX_LIBCLANG`, pip's package in one of Python's directories, conda's, the
/// system's.
pub fn find(explicit: Option<&Path>, site_dirs: &[PathBuf]) -> Result<PathBuf, ParseError> {
    let named = std::env::var_os("CUOX_LIBCLANG").filter(|value| !value.is_empty());
    if let Some(path) = explicit.map(Path::to_owned).or(named.map(PathBuf::from)) {
        return match path.is_dir() {
            false if path.exists() => Ok(path),
            true => newest_in(&path).ok_or(ParseError::NoLibclang { looked: vec![path] }),
            false => Err(ParseError::NoLibclang { looked: vec![path] }),
        };
    }
    let mut looked: Vec<PathBuf> = site_dirs.iter().map(|d| d.join("clang/native")).collect();
    if let Some(prefix) = std::env::var_os("CONDA_PREFIX") {
        looked.push(Path::new(&prefix).join("lib"));
    }
    let mut llvm: Vec<(u32, PathBuf)> = entries(Path::new("/usr/lib"))
        .filter_map(|path| {
            let name = path.file_name()?.to_str()?.strip_prefix("llvm-")?;
            Some((name.parse().ok()?, path.join("lib")))
        })
        .collect();
    llvm.sort_by_key(|(version, _)| std::cmp::Reverse(*version));
    looked.extend(llvm.into_iter().map(|(_, path)| path));
    let arch = std::env::consts::ARCH;
    looked.push(format!("/usr/lib/{arch}-linux-gnu").into());
    looked.extend(["/usr/lib64", "/usr/local/lib", "/usr/lib"].map(PathBuf::from));
    match looked.iter().find_map(|dir| newest_in(dir)) {
        Some(path) => Ok(path),
        None => Err(ParseError::NoLibclang { looked }),
    }
}

fn entries(dir: &Path) -> impl Iterator<Item = PathBuf> {
    let entries = std::fs::read_dir(dir).into_iter().flatten().flatten();
    entries.map(|entry| entry.path())
}

/// `libclang.so`, `libclang.so.1`, `libclang-15.so.15`: the newest of a directory.
fn newest_in(dir: &Path) -> Option<PathBuf> {
    let version = |path: &Path| -> Option<Vec<u32>> {
        let name = path.file_name()?.to_str()?.strip_prefix("libclang")?;
        let (before, after) = name.split_once(".so")?;
        // Not libclang-cpp.so.
        let mut numbers = before
            .trim_start_matches('-')
            .split('.')
            .chain(after.split('.'));
        let all = numbers.all(|n| n.is_empty() || n.parse::<u32>().is_ok());
        let digits = |text: &str| {
            text.split(['-', '.'])
                .filter_map(|n| n.parse().ok())
                .collect()
        };
        all.then(|| digits(name))
    };
    let found = entries(dir).filter_map(|path| Some((version(&path)?, path)));
    // A link to nothing is not one.
    let found = found.filter(|(_, path)| path.exists());
    found.max().map(|(_, path)| path)
}
