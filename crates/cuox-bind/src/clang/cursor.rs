//! libclang's objects, behind functions that are safe to call.
//!
//! A [`Unit`] is a parsed text. A [`Cursor`] or a [`Ty`] belongs to one and lives no longer; libclang accepts null
//! cursors and invalid types everywhere and answers with the like.

use std::ffi::{CString, c_int, c_uint, c_void};
use std::hash::{Hash, Hasher};
use std::ptr;

use clang_sys::{
    CXChildVisit_Continue, CXChildVisitResult, CXClientData, CXCursor, CXCursor_UnexposedExpr,
    CXCursorKind, CXDiagnostic_Error, CXDiagnostic_Fatal, CXDiagnostic_Ignored, CXDiagnostic_Note,
    CXEval_Float, CXEval_Int, CXEval_StrLiteral, CXFile, CXIndex, CXSourceLocation, CXSourceRange,
    CXString, CXTranslationUnit, CXType, CXTypeKind, CXUnsavedFile, CXVisit_Continue,
    CXVisitorResult,
};

use super::diagnostic::{Diagnostic, ParseError, Severity, line_of};
use super::library::{Libclang, Recovery};
use crate::decl::Value;

/// A parsed text.
pub struct Unit {
    clang: &'static Libclang,
    index: CXIndex,
    unit: CXTranslationUnit,
}

impl Drop for Unit {
    fn drop(&mut self) {
        let functions = &self.clang.functions;
        // SAFETY: both were made in `parse` and nothing that refers to them outlives the unit.
        unsafe {
            (functions.clang_disposeTranslationUnit)(self.unit);
            (functions.clang_disposeIndex)(self.index);
        }
    }
}

/// A file that is not on disk, or not as it is there.
pub struct Virtual {
    /// Its path.
    pub path: String,
    /// Its text.
    pub text: String,
}

/// A place in a file; of a macro's expansion, the place where the macro is used.
#[derive(Clone, Copy, Debug)]
pub struct Location {
    /// The file; null for declarations of the compiler itself.
    pub file: FileId,
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1.
    pub column: u32,
    /// Bytes from the file's beginning.
    pub offset: u32,
}

/// A file of a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FileId(CXFile);

/// A declaration, an expression, a directive or a macro's definition.
#[derive(Clone, Copy)]
pub struct Cursor<'u> {
    raw: CXCursor,
    unit: &'u Unit,
}

/// A type.
#[derive(Clone, Copy)]
pub struct Ty<'u> {
    raw: CXType,
    unit: &'u Unit,
}

/// A word of C.
#[derive(Clone, Debug, PartialEq)]
pub struct Token {
    /// `CXToken_Identifier` and the like.
    pub kind: c_int,
    /// The text as it is written.
    pub text: String,
}

impl Unit {
    /// Parses a file, which may be virtual. That it has errors is found in [`Unit::diagnostics`].
    pub fn parse(
        clang: &'static Libclang,
        path: &str,
        arguments: &[String],
        files: &[Virtual],
        flags: c_int,
    ) -> Result<Unit, ParseError> {
        let c_string = |text: &str| {
            CString::new(text).map_err(|_| {
                ParseError::Option(format!("{text:?} must not contain a NUL character"))
            })
        };
        let name = c_string(path)?;
        let arguments: Vec<CString> = arguments
            .iter()
            .map(|a| c_string(a))
            .collect::<Result<_, _>>()?;
        let pointers: Vec<_> = arguments.iter().map(|a| a.as_ptr()).collect();
        let paths: Vec<CString> = files
            .iter()
            .map(|f| c_string(&f.path))
            .collect::<Result<_, _>>()?;
        let mut unsaved: Vec<CXUnsavedFile> = files
            .iter()
            .zip(&paths)
            .map(|(file, path)| CXUnsavedFile {
                Filename: path.as_ptr(),
                Contents: file.text.as_ptr().cast(),
                Length: file.text.len() as _,
            })
            .collect();
        let functions = &clang.functions;
        let mut unit = ptr::null_mut();
        // Making an index sets the handlers as well, so it comes after.
        let _recovery = Recovery::new(clang);
        // SAFETY: arrays and strings live through the calls, which copy all that they keep.
        let (index, code) = unsafe {
            let index = (functions.clang_createIndex)(0, 0);
            let code = (functions.clang_parseTranslationUnit2)(
                index,
                name.as_ptr(),
                pointers.as_ptr(),
                pointers.len() as c_int,
                unsaved.as_mut_ptr(),
                unsaved.len() as c_uint,
                flags,
                &mut unit,
            );
            (index, code)
        };
        if unit.is_null() {
            // SAFETY: `clang_createIndex` made the index just now, and no unit uses it.
            unsafe { (functions.clang_disposeIndex)(index) };
            let why = match code {
                2 => "it crashed".to_owned(),
                3 => "invalid arguments".to_owned(),
                code => format!("code {code}"),
            };
            return Err(ParseError::Failed(why));
        }
        Ok(Unit { clang, index, unit })
    }

    /// The cursor whose children are the file's declarations.
    pub fn root(&self) -> Cursor<'_> {
        // SAFETY: `self.unit` is disposed of only when `self` is dropped.
        let raw = unsafe { (self.clang.functions.clang_getTranslationUnitCursor)(self.unit) };
        Cursor { raw, unit: self }
    }

    /// The compiler's messages, in order.
    pub fn diagnostics(&self) -> Vec<Diagnostic> {
        let functions = &self.clang.functions;
        // SAFETY: `self.unit` is disposed of only when `self` is dropped.
        let count = unsafe { (functions.clang_getNumDiagnostics)(self.unit) };
        // SAFETY: the index is below the count, and each diagnostic is given back.
        let one = |index| unsafe {
            let diagnostic = (functions.clang_getDiagnostic)(self.unit, index);
            let severity = (functions.clang_getDiagnosticSeverity)(diagnostic);
            let message = functions.string((functions.clang_getDiagnosticSpelling)(diagnostic));
            let location = (functions.clang_getDiagnosticLocation)(diagnostic);
            (functions.clang_disposeDiagnostic)(diagnostic);
            (severity, message, self.location(location))
        };
        let all = (0..count).map(one);
        let kept = all.filter(|(severity, ..)| *severity != CXDiagnostic_Ignored);
        kept.map(|(severity, message, location)| {
            let source = line_of(self.contents(location.file), location.line);
            Diagnostic {
                severity: match severity {
                    CXDiagnostic_Fatal => Severity::Fatal,
                    CXDiagnostic_Error => Severity::Error,
                    CXDiagnostic_Note => Severity::Note,
                    _ => Severity::Warning,
                },
                file: self.file_name(location.file),
                line: location.line,
                column: location.column,
                message,
                source,
            }
        })
        .collect()
    }

    /// The target's triple, and the width of its pointers in bits.
    pub fn target(&self) -> (String, c_int) {
        let functions = &self.clang.functions;
        // SAFETY: `self.unit` is disposed of only when `self` is dropped; the target's record is disposed of here.
        unsafe {
            let info = (functions.clang_getTranslationUnitTargetInfo)(self.unit);
            let triple = functions.string((functions.clang_TargetInfo_getTriple)(info));
            let width = (functions.clang_TargetInfo_getPointerWidth)(info);
            (functions.clang_TargetInfo_dispose)(info);
            (triple, width)
        }
    }

    /// A file's path as the compiler knows it.
    pub fn file_name(&self, file: FileId) -> String {
        if file.0.is_null() {
            return String::new();
        }
        let functions = &self.clang.functions;
        // SAFETY: the file is one of this unit's, and not null.
        unsafe { functions.string((functions.clang_getFileName)(file.0)) }
    }

    /// A file's text as it was read.
    pub fn contents(&self, file: FileId) -> &[u8] {
        if file.0.is_null() {
            return &[];
        }
        let mut length = 0;
        // SAFETY: the file is one of this unit's, which keeps the text, of `length` bytes, as long as `self` borrows
        // it.
        unsafe {
            let text = (self.clang.functions.clang_getFileContents)(self.unit, file.0, &mut length);
            match text.is_null() {
                true => &[],
                false => std::slice::from_raw_parts(text.cast(), length),
            }
        }
    }

    /// The text from one place to another of the same file.
    pub fn text_between(&self, from: Location, to: Location) -> String {
        let range = from.offset as usize..to.offset as usize;
        let text = self.contents(from.file).get(range).unwrap_or_default();
        String::from_utf8_lossy(text).into_owned()
    }

    fn location(&self, raw: CXSourceLocation) -> Location {
        let (mut file, mut line, mut column, mut offset) = (ptr::null_mut(), 0, 0, 0);
        // SAFETY: the location belongs to this unit, and the four results are local variables.
        unsafe {
            (self.clang.functions.clang_getExpansionLocation)(
                raw,
                &mut file,
                &mut line,
                &mut column,
                &mut offset,
            );
        }
        Location {
            file: FileId(file),
            line,
            column,
            offset,
        }
    }

    fn ends(&self, range: CXSourceRange) -> (Location, Location) {
        let functions = &self.clang.functions;
        // SAFETY: the range belongs to this unit.
        let (start, end) = unsafe {
            (
                (functions.clang_getRangeStart)(range),
                (functions.clang_getRangeEnd)(range),
            )
        };
        (self.location(start), self.location(end))
    }

    fn string(&self, string: CXString) -> String {
        // SAFETY: every caller passes a string that libclang has just made, and passes it once.
        unsafe { self.clang.functions.string(string) }
    }
}

/// Declares methods that are one call of libclang.
macro_rules! calls {
    ($($(#[$doc:meta])* $name:ident($($parameter:ident: $ty:ty),*) -> $result:ty = $function:ident, $make:expr;)*) => {
        $(
            $(#[$doc])*
            pub fn $name(self $(, $parameter: $ty)*) -> $result {
                // SAFETY: `self.raw` belongs to `self.unit`, which is borrowed and so not disposed of.
                let raw = unsafe { (self.unit.clang.functions.$function)(self.raw $(, $parameter)*) };
                ($make)(self.unit, raw)
            }
        )*
    };
}

fn cursor(unit: &Unit, raw: CXCursor) -> Cursor<'_> {
    Cursor { raw, unit }
}

fn ty(unit: &Unit, raw: CXType) -> Ty<'_> {
    Ty { raw, unit }
}

fn truth(_: &Unit, raw: c_uint) -> bool {
    raw != 0
}

fn same<T>(_: &Unit, raw: T) -> T {
    raw
}

impl<'u> Cursor<'u> {
    calls! {
        /// Its name, or libclang's substitute for one.
        spelling() -> String = clang_getCursorSpelling, Unit::string;
        /// The unified symbol resolution: text that is unique among all units.
        usr() -> String = clang_getCursorUSR, Unit::string;
        /// The symbol of a function or variable, by the rules of its language.
        mangling() -> String = clang_Cursor_getMangling, Unit::string;
        /// The type of the declared thing.
        ty() -> Ty<'u> = clang_getCursorType, ty;
        /// The result of a function, as it is written.
        result() -> Ty<'u> = clang_getCursorResultType, ty;
        /// The type that a typedef stands for.
        underlying() -> Ty<'u> = clang_getTypedefDeclUnderlyingType, ty;
        /// The type an enumeration is held by.
        enum_type() -> Ty<'u> = clang_getEnumDeclIntegerType, ty;
        /// An enumeration's constant, if that is signed.
        enum_value() -> i64 = clang_getEnumConstantDeclValue, same;
        /// An enumeration's constant, if it is not.
        enum_value_unsigned() -> u64 = clang_getEnumConstantDeclUnsignedValue, same;
        /// The definition; null if there is none.
        definition() -> Cursor<'u> = clang_getCursorDefinition, cursor;
        /// The one that stands for all declarations of a thing.
        canonical() -> Cursor<'u> = clang_getCanonicalCursor, cursor;
        /// The declaration that a name in an expression is of.
        referenced() -> Cursor<'u> = clang_getCursorReferenced, cursor;
        /// A parameter of a function.
        argument(index: c_uint) -> Cursor<'u> = clang_Cursor_getArgument, cursor;
        /// The number of a function's parameters, -1 for other things.
        argument_count() -> c_int = clang_Cursor_getNumArguments, same;
        /// A field's offset in bits, or a negative code.
        field_offset() -> i64 = clang_Cursor_getOffsetOfField, same;
        /// A bit-field's width.
        bit_width() -> c_int = clang_getFieldDeclBitWidth, same;
        /// True if a field is a bit-field.
        is_bit_field() -> bool = clang_Cursor_isBitField, truth;
        /// The linkage: who can see it.
        linkage() -> c_int = clang_getCursorLinkage, same;
        /// `static`, `extern` and the like.
        storage_class() -> c_int = clang_Cursor_getStorageClass, same;
        /// True if a function is `inline`.
        is_inline() -> bool = clang_Cursor_isFunctionInlined, truth;
        /// True if a macro has parameters.
        is_function_macro() -> bool = clang_Cursor_isMacroFunctionLike, truth;
        /// True if a macro is the compiler's.
        is_builtin_macro() -> bool = clang_Cursor_isMacroBuiltin, truth;
        /// True if the cursor is null.
        is_null() -> bool = clang_Cursor_isNull, |_, raw: c_int| raw != 0;
        /// True if a C++ member function is virtual.
        is_virtual() -> bool = clang_CXXMethod_isVirtual, truth;
        /// True if a C++ member function is `= default`.
        is_defaulted() -> bool = clang_CXXMethod_isDefaulted, truth;
        /// True if a constructor copies.
        is_copy() -> bool = clang_CXXConstructor_isCopyConstructor, truth;
        /// True if a constructor moves.
        is_move() -> bool = clang_CXXConstructor_isMoveConstructor, truth;
        /// The comment that belongs to it, as it is written.
        comment() -> String = clang_Cursor_getRawCommentText, Unit::string;
        /// Begin and end of that comment.
        comment_range() -> (Location, Location) = clang_Cursor_getCommentRange, Unit::ends;
        /// Begin and end of the declaration.
        extent() -> (Location, Location) = clang_getCursorExtent, Unit::ends;
        /// The place of its name.
        location() -> Location = clang_getCursorLocation, Unit::location;
        /// The file that a directive includes.
        included() -> FileId = clang_getIncludedFile, |_, raw| FileId(raw);
    }

    /// The kind of cursor.
    pub fn kind(self) -> CXCursorKind {
        self.raw.kind
    }

    /// Its name, if that is one that C can say.
    pub fn name(self) -> String {
        let name = self.spelling();
        let mut letters = name.chars();
        let starts = letters
            .next()
            .is_some_and(|c| c == '_' || c.is_alphabetic());
        match starts && letters.all(|c| c == '_' || c == '$' || c.is_alphanumeric()) {
            true => name,
            false => String::new(),
        }
    }

    /// The cursors that it consists of.
    pub fn children(self) -> Vec<Cursor<'u>> {
        extern "C" fn visit(
            child: CXCursor,
            _: CXCursor,
            data: CXClientData,
        ) -> CXChildVisitResult {
            // SAFETY: `data` is the address of the vector `found`, to which nothing else refers during the visit.
            unsafe { &mut *data.cast::<Vec<CXCursor>>() }.push(child);
            CXChildVisit_Continue
        }
        let mut found: Vec<CXCursor> = Vec::new();
        let data: *mut c_void = (&raw mut found).cast();
        // SAFETY: `visit` has the type that libclang calls, and `data` is the vector that it expects.
        unsafe { (self.unit.clang.functions.clang_visitChildren)(self.raw, visit, data) };
        found
            .into_iter()
            .map(|raw| cursor(self.unit, raw))
            .collect()
    }

    /// The text of a file of its unit.
    pub fn source(self, file: FileId) -> &'u [u8] {
        self.unit.contents(file)
    }

    /// An expression without the conversions that C adds itself.
    pub fn bare(self) -> Cursor<'u> {
        let mut bare = self;
        while bare.kind() == CXCursor_UnexposedExpr {
            let [inner] = bare.children()[..] else {
                break;
            };
            bare = inner;
        }
        bare
    }

    /// The text that the compiler writes for it, attributes and all.
    pub fn pretty(self) -> String {
        let functions = &self.unit.clang.functions;
        // SAFETY: the cursor's unit is borrowed and so not disposed of; the policy is disposed of here, once.
        unsafe {
            let policy = (functions.clang_getCursorPrintingPolicy)(self.raw);
            let text = functions.string((functions.clang_getCursorPrettyPrinted)(self.raw, policy));
            (functions.clang_PrintingPolicy_dispose)(policy);
            text
        }
    }

    /// The text of a `deprecated` attribute, if it has that.
    pub fn deprecated(self) -> Option<String> {
        let functions = &self.unit.clang.functions;
        let (mut deprecated, mut unavailable) = (0, 0);
        let empty = CXString {
            data: ptr::null(),
            private_flags: 0,
        };
        let (mut text, mut other) = (empty, empty);
        // SAFETY: all results are local variables; the list of platforms is null with a length of 0.
        unsafe {
            (functions.clang_getCursorPlatformAvailability)(
                self.raw,
                &mut deprecated,
                &mut text,
                &mut unavailable,
                &mut other,
                ptr::null_mut(),
                0,
            );
            let (text, _) = (functions.string(text), functions.string(other));
            (deprecated != 0).then_some(text)
        }
    }

    /// The words it is written with.
    pub fn tokens(self) -> Vec<Token> {
        let functions = &self.unit.clang.functions;
        let (mut tokens, mut count) = (ptr::null_mut(), 0);
        let unit = self.unit.unit;
        // SAFETY: libclang allocates the array of `count` tokens; indices stay below `count`, and it is disposed of
        // once.
        unsafe {
            let range = (functions.clang_getCursorExtent)(self.raw);
            (functions.clang_tokenize)(unit, range, &mut tokens, &mut count);
            if tokens.is_null() {
                return Vec::new();
            }
            let read = (0..count as usize).map(|index| {
                let token = *tokens.add(index);
                Token {
                    kind: (functions.clang_getTokenKind)(token),
                    text: functions.string((functions.clang_getTokenSpelling)(unit, token)),
                }
            });
            let read = read.collect();
            (functions.clang_disposeTokens)(unit, tokens, count);
            read
        }
    }

    /// The value of a variable's initialiser or of an expression, if the compiler knows it.
    pub fn evaluate(self) -> Option<Value> {
        let functions = &self.unit.clang.functions;
        // SAFETY: the result is not null, is read by its kind, and is disposed of once; its text is copied before.
        unsafe {
            let result = (functions.clang_Cursor_Evaluate)(self.raw);
            if result.is_null() {
                return None;
            }
            let value = match (functions.clang_EvalResult_getKind)(result) {
                CXEval_Int if (functions.clang_EvalResult_isUnsignedInt)(result) != 0 => Some(
                    Value::Int((functions.clang_EvalResult_getAsUnsigned)(result).into()),
                ),
                CXEval_Int => Some(Value::Int(
                    (functions.clang_EvalResult_getAsLongLong)(result).into(),
                )),
                CXEval_Float => Some(Value::Float((functions.clang_EvalResult_getAsDouble)(
                    result,
                ))),
                CXEval_StrLiteral => {
                    let text = (functions.clang_EvalResult_getAsStr)(result);
                    let bytes = || std::ffi::CStr::from_ptr(text).to_bytes().to_vec();
                    (!text.is_null()).then(|| Value::Text(bytes()))
                }
                _ => None,
            };
            (functions.clang_EvalResult_dispose)(result);
            value
        }
    }
}

impl PartialEq for Cursor<'_> {
    fn eq(&self, other: &Self) -> bool {
        // SAFETY: the units of both cursors are borrowed and so not disposed of.
        unsafe { (self.unit.clang.functions.clang_equalCursors)(self.raw, other.raw) != 0 }
    }
}

impl Eq for Cursor<'_> {}

impl Hash for Cursor<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        // SAFETY: the cursor's unit is borrowed and so not disposed of.
        state.write_u32(unsafe { (self.unit.clang.functions.clang_hashCursor)(self.raw) });
    }
}

impl<'u> Ty<'u> {
    calls! {
        /// The type as C writes it.
        spelling() -> String = clang_getTypeSpelling, Unit::string;
        /// Without any typedefs.
        canonical() -> Ty<'u> = clang_getCanonicalType, ty;
        /// The type that a pointer or reference is to.
        pointee() -> Ty<'u> = clang_getPointeeType, ty;
        /// The type of an array's elements.
        array_element() -> Ty<'u> = clang_getArrayElementType, ty;
        /// The type of the elements of a complex type or a vector.
        element() -> Ty<'u> = clang_getElementType, ty;
        /// The number of an array's elements, or -1.
        array_size() -> i64 = clang_getArraySize, same;
        /// The type that `struct foo` names.
        named() -> Ty<'u> = clang_Type_getNamedType, ty;
        /// A type without its attribute.
        modified() -> Ty<'u> = clang_Type_getModifiedType, ty;
        /// The nullability that a pointer's type states.
        nullability() -> c_int = clang_Type_getNullability, same;
        /// The declaration.
        declaration() -> Cursor<'u> = clang_getTypeDeclaration, cursor;
        /// Its size in bytes, or a negative code.
        size() -> i64 = clang_Type_getSizeOf, same;
        /// Its alignment in bytes, or a negative code.
        align() -> i64 = clang_Type_getAlignOf, same;
        /// True if it is `const`, itself.
        is_const() -> bool = clang_isConstQualifiedType, truth;
        /// A function's result.
        result() -> Ty<'u> = clang_getResultType, ty;
        /// The number of a function type's parameters.
        argument_count() -> c_int = clang_getNumArgTypes, same;
        /// A parameter of a function type.
        argument(index: c_uint) -> Ty<'u> = clang_getArgType, ty;
        /// True if a function type ends in `...`.
        is_variadic() -> bool = clang_isFunctionTypeVariadic, truth;
        /// The calling convention of a function type.
        convention() -> c_int = clang_getFunctionTypeCallingConv, same;
    }

    /// The kind of type.
    pub fn kind(self) -> CXTypeKind {
        self.raw.kind
    }

    /// The fields of a record, in order.
    pub fn fields(self) -> Vec<Cursor<'u>> {
        extern "C" fn visit(field: CXCursor, data: CXClientData) -> CXVisitorResult {
            // SAFETY: `data` is the address of the vector `found`, to which nothing else refers during the visit.
            unsafe { &mut *data.cast::<Vec<CXCursor>>() }.push(field);
            CXVisit_Continue
        }
        let mut found: Vec<CXCursor> = Vec::new();
        let data: *mut c_void = (&raw mut found).cast();
        // SAFETY: `visit` has the type that libclang calls, and `data` is the vector that it expects.
        unsafe { (self.unit.clang.functions.clang_Type_visitFields)(self.raw, visit, data) };
        found
            .into_iter()
            .map(|raw| cursor(self.unit, raw))
            .collect()
    }
}
