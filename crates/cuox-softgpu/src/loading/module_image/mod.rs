//! Images of code that a program hands over (PTX, fat binaries, cubins, archives), and the PTX in them.

pub mod fatbin;
pub mod reader;

use crate::code::{INVALID_VALUE, NO_BINARY_FOR_GPU, Res};
use crate::fault::explain;
use fatbin::Text;
use reader::{Reader, u32_at, u64_at};

const ELF: u32 = 0x464c_457f;
const ARCHIVE: &[u8; 4] = b"!<ar";
/// The functions that NVIDIA's device runtime defines begin so. Its text is not needed: the software GPU has them.
const DEVICE_RUNTIME: &str = "cudaCDP2";

/// PTX texts that make up one image.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Image {
    pub texts: Vec<String>,
    /// The most registers of a thread: the fewest that a text's compiler was told.
    pub max_registers: Option<u32>,
}

/// The PTX texts of the image at an address, chosen for `sm`.
pub fn read(image: Reader, sm: u32) -> Res<Image> {
    if image.address() == 0 {
        return Err(INVALID_VALUE);
    }
    let texts = match first_word(image)? {
        Some(fatbin::WRAPPER_MAGIC) => from_wrapper(image, sm)?,
        Some(fatbin::MAGIC | fatbin::OLD_MAGIC) => fatbin::best_ptx(image, sm)?,
        Some(ELF) => {
            explain(
                "this image is machine code for a GPU (a cubin); the software GPU needs PTX: load PTX, or a fat binary with PTX".into(),
            );
            return Err(NO_BINARY_FOR_GPU);
        }
        Some(word) if word.to_le_bytes() == *ARCHIVE => return Err(NO_BINARY_FOR_GPU),
        _ => vec![Text {
            bytes: image.until_nul()?,
            max_registers: None,
        }],
    };
    // Comments and file names may be in any encoding; anywhere else the parser says where it does not belong.
    let read = |text: &Text| String::from_utf8_lossy(&text.bytes).into_owned();
    Ok(Image {
        texts: texts.iter().map(read).collect(),
        max_registers: texts.iter().filter_map(|t| t.max_registers).min(),
    })
}

fn first_word(image: Reader) -> Res<Option<u32>> {
    // A text may be shorter than a word.
    match image.array::<4>() {
        Ok(bytes) => Ok(Some(u32_at(&bytes, 0))),
        Err(_) => image.array::<1>().map(|_| None),
    }
}

fn from_wrapper(image: Reader, sm: u32) -> Res<Vec<Text>> {
    const LINKED: u32 = 2;
    const MOST: u64 = 4096;
    let wrapper: [u8; 24] = image.array()?;
    let inside = |address| Reader::new(address, None);
    let mut result = match u64_at(&wrapper, 8) {
        0 => Err(NO_BINARY_FOR_GPU),
        data => fatbin::best_ptx(inside(data), sm),
    };
    if u32_at(&wrapper, 4) == LINKED && u64_at(&wrapper, 16) != 0 && result.is_err() {
        // The device-linked image holds no PTX: link the objects' own.
        let list = inside(u64_at(&wrapper, 16));
        let mut texts = Vec::new();
        for i in 0..MOST {
            let address = u64::from_le_bytes(list.at(i * 8)?.array()?);
            if address == 0 {
                break;
            }
            match fatbin::best_ptx(inside(address), sm) {
                Ok(more) => texts.extend(more.into_iter().filter(|t| !is_device_runtime(&t.bytes))),
                Err(NO_BINARY_FOR_GPU) => {}
                Err(other) => return Err(other),
            }
        }
        if !texts.is_empty() {
            result = Ok(texts);
        }
    }
    result
}

/// True for the text that defines the device runtime, not for one that calls it.
fn is_device_runtime(text: &[u8]) -> bool {
    let text = String::from_utf8_lossy(text);
    let names = text.match_indices(DEVICE_RUNTIME).map(|(at, _)| at);
    let statement = |at: usize| {
        let before = &text[..at];
        let start = before.rfind([';', '{', '}']).map_or(0, |end| end + 1);
        &before[start..]
    };
    let defines = |at| {
        let words: Vec<&str> = statement(at).split_whitespace().collect();
        words.contains(&".func") && (words.contains(&".visible") || words.contains(&".weak"))
    };
    names.into_iter().any(defines)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::code::INVALID_IMAGE;

    fn texts(bytes: &[u8]) -> Res<Vec<String>> {
        let image = Reader::new(bytes.as_ptr() as u64, Some(bytes.len() as u64));
        read(image, 90).map(|image| image.texts)
    }

    fn fat(text: &[u8], max_registers: Option<u32>) -> Vec<u8> {
        let bytes = text.to_vec();
        fatbin::write(
            &[Text {
                bytes,
                max_registers,
            }],
            90,
            (9, 0),
        )
    }

    #[test]
    fn images_are_told_apart() {
        assert_eq!(
            texts(b"\n\n.version 9.0\n\0junk").unwrap(),
            ["\n\n.version 9.0\n"]
        );
        assert_eq!(texts(b"x").unwrap(), ["x"]);
        assert_eq!(texts(b"\x7fELF\x02\x01\x01"), Err(NO_BINARY_FOR_GPU));
        assert_eq!(texts(b"!<arch>\n"), Err(NO_BINARY_FOR_GPU));
        assert_eq!(read(Reader::new(0, None), 90), Err(INVALID_VALUE));
        assert_eq!(read(Reader::new(64, None), 90), Err(INVALID_IMAGE));
        let limited = fat(b"text", Some(32));
        let image = Reader::new(limited.as_ptr() as u64, Some(limited.len() as u64));
        assert_eq!(read(image, 90).unwrap().max_registers, Some(32));
        let plain = fat(b"text", None);
        assert_eq!(texts(&plain).unwrap(), ["text"]);
        let mut wrapper = [0u8; 24];
        wrapper[0..4].copy_from_slice(&fatbin::WRAPPER_MAGIC.to_le_bytes());
        wrapper[4] = 1;
        wrapper[8..16].copy_from_slice(&(plain.as_ptr() as u64).to_le_bytes());
        assert_eq!(texts(&wrapper).unwrap(), ["text"]);
        let empty = fatbin::write(&[], 90, (9, 0));
        let list = [plain.as_ptr() as u64, plain.as_ptr() as u64, 0];
        wrapper[4] = 2;
        wrapper[8..16].copy_from_slice(&(empty.as_ptr() as u64).to_le_bytes());
        wrapper[16..24].copy_from_slice(&(list.as_ptr() as u64).to_le_bytes());
        assert_eq!(texts(&wrapper).unwrap(), ["text", "text"]);

        // The device runtime stays out; what calls it does not.
        let runtime =
            b".version 9.0\n.visible .func (.param .b32 r) cudaCDP2Malloc(.param .b64 p)\n{\n}"
                .to_vec();
        let caller = b".version 9.0\n.extern .func (.param .b32 r) cudaCDP2Malloc\n(\n.param .b64 p\n)\n;\n.visible .entry k() { call (r), cudaCDP2Malloc, (p); }".to_vec();
        let runtime = fat(&runtime, None);
        let calls = fat(&caller, None);
        let list = [calls.as_ptr() as u64, runtime.as_ptr() as u64, 0];
        wrapper[16..24].copy_from_slice(&(list.as_ptr() as u64).to_le_bytes());
        assert_eq!(
            texts(&wrapper).unwrap(),
            [String::from_utf8(caller).unwrap()]
        );
    }
}
