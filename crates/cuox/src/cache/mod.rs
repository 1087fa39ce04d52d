//! Compile once, keep: what a compiler makes is kept on disk, with stamps of all files that it read.
//!
//! An entry's key is a hash of what the caller gives: the source, the options, the compiler. What it read besides,
//! headers in the first place, is listed in the entry by size and times: an entry whose list is no longer true is none.
//! Where entries are kept, who may write there and how large it gets is the matter of [`cuox_cache`].

mod fields;
mod files;
mod includes;

pub use cuox_cache::{Digest, Dir, Usage, in_words, root};
pub use fields::{Fields, Writer};
pub use files::Files;
pub(crate) use includes::{Search, absolute, headers_named_by, names_the_time, read_by};

use std::path::PathBuf;
use std::sync::OnceLock;
use std::time::Duration;

use cuox_cache::{Key, Store};

/// Entries of one directory.
pub struct Cache {
    store: Store,
    path: PathBuf,
}

impl Cache {
    /// A cache in a directory, which is made when it is needed.
    pub fn new(path: PathBuf) -> Self {
        Self {
            store: Store::new(path.clone(), Duration::ZERO, cuox_cache::limit()),
            path,
        }
    }

    /// The cache of this process: in `CUOX_CACHE_DIR`, or `cuox` in the user's directory for caches; none with
    /// `CUOX_CACHE=0`.
    pub fn installed() -> Option<&'static Self> {
        static INSTALLED: OnceLock<Option<Cache>> = OnceLock::new();
        INSTALLED
            .get_or_init(|| cuox_cache::directory().map(Cache::new))
            .as_ref()
    }

    /// The directory.
    pub fn path(&self) -> &std::path::Path {
        &self.path
    }

    /// The number of files, and their bytes; machine code that the software GPU keeps is among them.
    pub fn usage(&self) -> Usage {
        self.store.usage()
    }

    /// Removes everything, and says what it was.
    pub fn clear(&self) -> Usage {
        self.store.clear()
    }

    /// An entry, as `read` makes it of its bytes, if what was read for it is unchanged.
    pub fn load<T>(&self, digest: &Digest, read: impl FnOnce(&[u8]) -> Option<T>) -> Option<T> {
        let bytes = self.store.load(&Key::of(digest))?;
        let mut fields = Fields::new(&bytes);
        match files::are_unchanged(&mut fields)? {
            true => read(fields.rest()),
            false => None,
        }
    }

    /// Keeps an entry with the stamps of what was read for it. That it cannot be kept is no error.
    pub fn save(&self, digest: &Digest, files: &Files, body: &[u8]) {
        let mut out = Writer::default();
        files.encode(&mut out);
        let mut bytes = out.into_bytes();
        bytes.extend_from_slice(body);
        let _ = self.store.write(&Key::of(digest), &bytes);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::hash::Hasher;
    use std::path::Path;
    use std::time::SystemTime;

    fn digest(text: &str) -> Digest {
        let mut digest = Digest::new();
        digest.write(text.as_bytes());
        digest
    }

    #[test]
    fn an_entry_is_there_until_a_file_that_was_read_changes() {
        let folder = std::env::temp_dir().join(format!("cuox-entries-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(folder.join("headers")).unwrap();
        let header = folder.join("headers/a.h");
        std::fs::write(&header, "#include <b.h>\n#include \"missing/c.h\"\n").unwrap();
        let cache = Cache::new(folder.join("cache"));
        let load = |key: &Digest| cache.load(key, |body| Some(body.to_vec()));
        let search = Search {
            texts: vec!["#  include \"a.h\" // first\n#if __has_include(<d.h>)\n"],
            in_memory: &|_| false,
            handed: &|_| None,
            own: folder.join("headers"),
            folders: vec![folder.join("headers")],
            packages: Vec::new(),
        };
        let later = SystemTime::now() + Duration::from_secs(5);
        let files = read_by(&search, later).unwrap();
        let key = digest("one");
        cache.save(&key, &files, b"body");
        assert_eq!(load(&key).as_deref(), Some(&b"body"[..]));
        assert_eq!(load(&digest("two")), None);
        let all = |change: &dyn Fn(&Path), undo: &dyn Fn(&Path)| {
            change(&folder.join("headers"));
            assert_eq!(load(&key), None);
            undo(&folder.join("headers"));
            assert!(load(&key).is_some());
        };
        let add = |name: &'static str| move |f: &Path| std::fs::write(f.join(name), "").unwrap();
        let remove =
            |name: &'static str| move |f: &Path| std::fs::remove_file(f.join(name)).unwrap();
        all(&add("b.h"), &remove("b.h"));
        all(&add("d.h"), &remove("d.h"));
        all(&|f| std::fs::create_dir(f.join("missing")).unwrap(), &|f| {
            std::fs::remove_dir(f.join("missing")).unwrap()
        });
        std::fs::write(&header, "#include <e.h>\n").unwrap();
        assert_eq!(load(&key), None);
        assert!(cache.usage().files >= 1);
        cache.clear();
        assert_eq!(cache.usage().files, 0);
        std::fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn what_cannot_be_followed_is_not_kept() {
        let search = |text| Search {
            texts: vec![text],
            in_memory: &|name| name == "mine.h",
            handed: &|_| None,
            own: PathBuf::new(),
            folders: Vec::new(),
            packages: Vec::new(),
        };
        let now = SystemTime::now();
        assert!(read_by(&search("#include MACRO\n"), now).is_none());
        assert!(read_by(&search("#include \"mine.h\"\n"), now).is_some());
        assert!(read_by(&search("int x = __TIME__[0];\n"), now).is_none());
    }
}
