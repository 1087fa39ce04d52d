use crate::Program;
use crate::analysis::shape::Shape;
use crate::jit::code::cache::key;
use crate::jit::code::object::Object;
use crate::jit::compile::generate;
use crate::jit::plan::Plan;
use crate::passes::hot_cold::CodePart;
use cuox_cache::{Dir, Key, Store, seal, unseal};
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// Kernel that calls helpers: an atomic operation, a function without inline code, and a driver service.
const KERNEL: &str = "
.extern .func (.param .b32 r) vprintf (.param .b64 format, .param .b64 args);
.visible .entry k(.param .u64 p, .param .u64 text)
{
    .reg .b64 %a<4>; .reg .b32 %r<6>; .reg .f64 %d<4>;
    ld.param.u64 %a1, [p];
    mov.u32 %r1, %tid.x;
    mul.wide.u32 %a2, %r1, 8;
    add.u64 %a2, %a1, %a2;
    ld.global.f64 %d1, [%a2];
    rcp.rp.f64 %d2, %d1;
    st.global.f64 [%a2], %d2;
    atom.global.inc.u32 %r2, [%a1], 77;
    {
        .param .b64 format; .param .b64 args; .param .b32 r;
        ld.param.u64 %a3, [text];
        st.param.b64 [format], %a3;
        st.param.b64 [args], 0;
        call.uni (r), vprintf, (format, args);
    }
    ret;
}";

fn plan(body: &str, shape: Shape, capacity: u32) -> Plan {
    let text = format!(".version 8.6\n.target sm_90\n.address_size 64\n{body}");
    let program = Program::from_ptx(&text).unwrap_or_else(|e| panic!("{e}"));
    let unit = program.lower("k").unwrap_or_else(|e| panic!("{e}"));
    let bytes = program.kernel_info("k").map_or(0, |k| k.param_bytes);
    Plan::new(&unit, shape, capacity, false, bytes, crate::jit::has_wide()).expect("a plan")
}

fn key_of(plan: &Plan) -> Key {
    key::of(plan, CodePart::Hot).expect("a key")
}

/// Directory that is deleted with the value.
struct Temporary(PathBuf);

impl Temporary {
    fn new(name: &str) -> Temporary {
        let own = std::process::id();
        let path = std::env::temp_dir().join(format!("cuox-cache-test-{name}-{own}"));
        // The directory exists only if a process with that number was killed.
        let _ = std::fs::remove_dir_all(&path);
        Temporary(path)
    }

    fn store(&self, limit: u64) -> Store {
        Store::new(self.0.clone(), Duration::ZERO, limit)
    }

    fn files(&self) -> Vec<PathBuf> {
        let entries = std::fs::read_dir(&self.0).expect("a directory");
        entries.flatten().map(|e| e.path()).collect()
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn set_mode(path: &Path, mode: u32) {
    let permissions = std::fs::Permissions::from_mode(mode);
    std::fs::set_permissions(path, permissions).expect("own file");
}

#[test]
fn code_is_the_same_when_it_is_read_back() {
    let plan = plan(KERNEL, Shape::Line, 64);
    for part in [CodePart::Hot, CodePart::Thread] {
        let object = generate(&plan, part).expect("code");
        assert!(object.routines.iter().any(|r| !r.links.is_empty()));
        let bytes = object.encode(&plan.numbers).expect("bytes");
        assert_eq!(Object::decode(&bytes, &plan.numbers), Some(object));
    }
}

#[test]
fn the_same_plan_gives_the_same_code_and_another_one_another_key() {
    let plans = [(); 2].map(|()| plan(KERNEL, Shape::Line, 64));
    for part in [CodePart::Hot, CodePart::Thread] {
        let [one, other] = plans.each_ref().map(|plan| generate(plan, part));
        assert_eq!(one.expect("code"), other.expect("code"));
    }
    let first = key_of(&plans[0]);
    assert_ne!(Some(first), key::of(&plans[0], CodePart::Thread));
    assert_eq!(first, key_of(&plans[1]));
    assert_eq!(
        first,
        key_of(&plan(&format!("\n\n// moved\n{KERNEL}"), Shape::Line, 64))
    );
    for (text, shape, capacity) in [
        (KERNEL.to_owned(), Shape::Line, 128),
        (KERNEL.to_owned(), Shape::MultipleOf4, 64),
        (KERNEL.replace("77", "78"), Shape::Line, 64),
        (KERNEL.replace("rcp.rp", "rcp.rm"), Shape::Line, 64),
    ] {
        assert_ne!(first, key_of(&plan(&text, shape, capacity)));
    }
}

#[test]
fn a_damaged_file_is_no_file() {
    let plan = plan(".entry k(.param .u64 p) { ret; }", Shape::Line, 32);
    let key = key_of(&plan);
    let bytes = generate(&plan, CodePart::Hot)
        .expect("code")
        .encode(&plan.numbers);
    let bytes = bytes.expect("bytes");
    let file = seal(&key, &bytes);
    assert_eq!(unseal(&key, &file), Some(bytes.as_slice()));
    for len in 0..file.len() {
        assert_eq!(unseal(&key, &file[..len]), None, "{len} bytes");
    }
    let mut damaged = file.clone();
    for at in 0..file.len() {
        for flip in [1, 0x80, 0xff] {
            damaged[at] ^= flip;
            assert_eq!(unseal(&key, &damaged), None, "byte {at} by {flip:#x}");
            damaged[at] ^= flip;
        }
    }
    let mut longer = file.clone();
    longer.push(0);
    assert_eq!(unseal(&key, &longer), None);
    assert_eq!(unseal(&Key([7; 16]), &file), None);
}

#[test]
fn decoding_takes_any_bytes() {
    let plan = plan(KERNEL, Shape::Line, 32);
    let bytes = generate(&plan, CodePart::Hot)
        .expect("code")
        .encode(&plan.numbers);
    let mut bytes = bytes.expect("bytes");
    for len in 0..bytes.len() {
        assert_eq!(Object::decode(&bytes[..len], &plan.numbers), None);
    }
    for at in 0..bytes.len() {
        for flip in [1, 0xff] {
            bytes[at] ^= flip;
            // Decoding may fail or not, but every link must lie inside its routine.
            for routine in Object::decode(&bytes, &plan.numbers)
                .iter()
                .flat_map(|o| &o.routines)
            {
                let ends = routine.links.iter().map(|l| l.offset as usize + 8);
                assert!(ends.max() <= Some(routine.bytes.len()) || routine.links.is_empty());
            }
            bytes[at] ^= flip;
        }
    }
    let none = [0; 12];
    assert_eq!(Object::decode(&none, &plan.numbers), None);
    assert_eq!(Object::decode(&[0xff; 64], &plan.numbers), None);
}

#[test]
fn files_are_for_their_user_only() {
    let place = Temporary::new("modes");
    let store = place.store(1 << 20);
    let key = Key([3; 16]);
    assert_eq!(store.load(&key), None);
    store.write(&key, b"body").expect("written");
    assert_eq!(store.load(&key).as_deref(), Some(&b"body"[..]));
    assert_eq!(store.load(&Key([4; 16])), None);
    let mode = |path: &Path| std::fs::metadata(path).expect("there").mode() & 0o777;
    assert_eq!(mode(&place.0), 0o700);
    let [file] = &place.files()[..] else {
        panic!("one file")
    };
    assert_eq!(mode(file), 0o600);
    // Other users could have written the file.
    set_mode(file, 0o620);
    assert_eq!(store.load(&key), None);
    set_mode(file, 0o600);
    assert!(store.load(&key).is_some());
    // The file is moved elsewhere and linked.
    let other = place.0.join("other");
    std::fs::rename(file, &other).expect("renamed");
    symlink(&other, file).expect("a link");
    assert_eq!(store.load(&key), None);
    // Writing replaces the link by a file.
    store.write(&key, b"again").expect("written");
    assert_eq!(store.load(&key).as_deref(), Some(&b"again"[..]));
    set_mode(&place.0, 0o770);
    assert!(Dir::open(&place.0).is_err());
    assert_eq!(place.store(1 << 20).load(&key), None);
    set_mode(&place.0, 0o700);
}

#[test]
fn the_oldest_files_go() {
    let place = Temporary::new("limit");
    let body = vec![1; 1000];
    let before = |hours: u64| SystemTime::now() - Duration::from_secs(3600 * hours);
    let age = |name: &str, hours: u64| {
        let file = std::fs::File::open(place.0.join(name)).expect("there");
        file.set_modified(before(hours)).expect("own file");
    };
    for n in 0..8u8 {
        // A store removes old files after its first write.
        let store = place.store(10_000);
        store.write(&Key([n; 16]), &body).expect("written");
        age(&format!("{}.code", Key([n; 16])), 100 - u64::from(n));
    }
    // The file is used again, so it is no longer the oldest.
    assert!(place.store(10_000).load(&Key([0; 16])).is_some());
    for (name, hours) in [("old.tmp", 2), ("new.tmp", 0), ("old.txt", 2)] {
        std::fs::write(place.0.join(name), "").expect("written");
        age(name, hours);
    }
    let store = place.store(8_000);
    store.write(&Key([9; 16]), &body).expect("written");
    let kept: Vec<u8> = (0..10)
        .filter(|&n| store.load(&Key([n; 16])).is_some())
        .collect();
    assert_eq!(kept, [0, 5, 6, 7, 9]);
    let other = ["old.tmp", "new.tmp", "old.txt"].map(|name| place.0.join(name).exists());
    assert_eq!(other, [false, true, true]);
    // The file is larger than the limit.
    store.write(&Key([8; 16]), &[0; 8_000]).expect("not tried");
    assert_eq!(store.load(&Key([8; 16])), None);
}

#[test]
fn a_place_that_cannot_be_written_is_no_error() {
    let file = Temporary::new("file");
    std::fs::write(&file.0, "").expect("written");
    let store = Store::new(file.0.join("below"), Duration::ZERO, 1 << 20);
    assert!(store.write(&Key([1; 16]), b"body").is_ok());
    assert_eq!(store.load(&Key([1; 16])), None);
    std::fs::remove_file(&file.0).expect("own file");
}
