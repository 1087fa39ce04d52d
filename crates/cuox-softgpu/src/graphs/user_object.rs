//! User objects: resources of the program's that graphs keep alive.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

/// A resource with a count of references and a function that destroys it.
pub struct UserObject {
    pub handle: u64,
    data: usize,
    destroy: unsafe extern "C" fn(*mut core::ffi::c_void),
    references: AtomicI64,
    /// Takes it out of the table that it is in.
    forget: fn(u64),
}

impl UserObject {
    pub fn new(
        handle: u64,
        data: usize,
        destroy: unsafe extern "C" fn(*mut core::ffi::c_void),
        references: u32,
        forget: fn(u64),
    ) -> UserObject {
        UserObject {
            handle,
            data,
            destroy,
            references: AtomicI64::new(references.into()),
            forget,
        }
    }

    /// Takes references; false if the last one is gone, and the resource with it.
    pub fn retain(&self, count: u32) -> bool {
        let more = |have: i64| (have > 0).then(|| have.saturating_add(count.into()));
        let (set, get) = (Ordering::AcqRel, Ordering::Acquire);
        self.references.fetch_update(set, get, more).is_ok()
    }

    /// Gives up references; the last one destroys the resource.
    pub fn release(&self, count: u32) {
        let count = i64::from(count);
        let before = self.references.fetch_sub(count, Ordering::AcqRel);
        let last = before > 0 && before <= count;
        if last {
            // SAFETY: the program gave this function for this very use, and only one release sees the last reference
            // go.
            unsafe { (self.destroy)(self.data as *mut _) };
            (self.forget)(self.handle);
        }
    }
}

/// References that a graph, or an executable graph, owns.
pub struct UserReferences {
    pub object: Arc<UserObject>,
    pub count: u32,
}

impl UserReferences {
    /// References of which the graph becomes the owner; the caller has counted them.
    pub fn taken(object: Arc<UserObject>, count: u32) -> UserReferences {
        UserReferences { object, count }
    }
}

impl Clone for UserReferences {
    fn clone(&self) -> UserReferences {
        self.object.retain(self.count);
        UserReferences {
            object: self.object.clone(),
            count: self.count,
        }
    }
}

impl Drop for UserReferences {
    fn drop(&mut self) {
        if self.count > 0 {
            self.object.release(self.count);
        }
    }
}
