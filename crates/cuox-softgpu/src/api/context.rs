//! Contexts and the calling thread's stack of them.

use crate::api::context_event::Of;
use crate::api::{driver_functions, green, put, put_if};
use crate::code::{INVALID_CONTEXT, INVALID_VALUE, OUT_OF_MEMORY, Res, UNSUPPORTED_LIMIT};
use crate::context::{self, Context};
use crate::driver::{self, Driver};
use crate::{current, device, thread};
use core::sync::atomic::Ordering;
use cuox_abi::{
    CUcontext, CUctxCreateParams, CUdevice, CUexecAffinityParam, CUfunc_cache, CUlimit, CUresult,
    CUsharedconfig,
};
use std::sync::Arc;

const API_VERSION: u32 = 3020;

fn create(flags: u32, dev: CUdevice) -> Res<CUcontext> {
    let driver = driver::get()?;
    let device = driver.device(dev)?.ordinal;
    if flags & !context::FLAGS != 0 {
        return Err(INVALID_VALUE);
    }
    let made = driver
        .contexts
        .insert(|handle| Context::new(handle, device, flags, false))
        .ok_or(OUT_OF_MEMORY)?;
    thread::push(made.handle())?;
    Ok(CUcontext::from_addr(made.handle() as usize))
}

fn destroy(ctx: CUcontext) -> Res {
    let driver = driver::get()?;
    let handle = ctx.addr() as u64;
    let gone = driver.contexts.remove(handle).ok_or(INVALID_CONTEXT)?;
    driver.end_context(&gone);
    if thread::top() == handle {
        thread::pop();
    }
    Ok(())
}

fn push(ctx: CUcontext) -> Res {
    let driver = driver::get()?;
    let handle = ctx.addr() as u64;
    current::device_of(driver, handle)?;
    thread::push(handle)
}

fn pop() -> Res<CUcontext> {
    driver::get()?;
    Ok(CUcontext::from_addr(
        thread::pop().ok_or(INVALID_CONTEXT)? as usize
    ))
}

/// The named context; null is the current one.
fn named(driver: &Driver, ctx: CUcontext) -> Res<Arc<Context>> {
    if ctx.is_null() {
        current::context(driver)
    } else {
        current::by_handle(driver, ctx.addr() as u64)
    }
}

/// Waits for all work of the named context; null is the current one.
fn synchronize(ctx: CUcontext) -> Res {
    let driver = driver::get()?;
    let of = match ctx.is_null() {
        // Says how it is gone, if it is.
        true => {
            current::context(driver)?;
            Of::context(driver, CUcontext::from_addr(thread::top() as usize))?
        }
        false => Of::context(driver, ctx)?,
    };
    of.synchronize(driver)
}

driver_functions! {
    fn cuCtxCreate_v2(pctx: *mut CUcontext, flags: u32, dev: CUdevice) {
        if pctx.is_null() {
            return Err(INVALID_VALUE);
        }
        put(pctx, create(flags, dev)?)
    }

    fn cuCtxCreate_v3(pctx: *mut CUcontext, paramsArray: *mut CUexecAffinityParam, numParams: i32, flags: u32, dev: CUdevice) {
        if pctx.is_null() {
            return Err(INVALID_VALUE);
        }
        if numParams != 0 || !paramsArray.is_null() {
            return Err(CUresult::CUDA_ERROR_UNSUPPORTED_EXEC_AFFINITY);
        }
        put(pctx, create(flags, dev)?)
    }

    fn cuCtxCreate_v4(pctx: *mut CUcontext, ctxCreateParams: *mut CUctxCreateParams, flags: u32, dev: CUdevice) {
        if pctx.is_null() {
            return Err(INVALID_VALUE);
        }
        if !ctxCreateParams.is_null() {
            let params = &*ctxCreateParams;
            if params.numExecAffinityParams != 0 {
                return Err(CUresult::CUDA_ERROR_UNSUPPORTED_EXEC_AFFINITY);
            }
            if !params.cigParams.is_null() {
                return Err(crate::code::NOT_SUPPORTED);
            }
        }
        put(pctx, create(flags, dev)?)
    }

    fn cuCtxCreate(pctx: *mut CUcontext, flags: u32, dev: CUdevice) {
        if pctx.is_null() {
            return Err(INVALID_VALUE);
        }
        put(pctx, create(flags, dev)?)
    }

    fn cuCtxDestroy(ctx: CUcontext) { destroy(ctx) }

    fn cuCtxDestroy_v2(ctx: CUcontext) { destroy(ctx) }

    fn cuCtxAttach(pctx: *mut CUcontext, flags: u32) {
        let driver = driver::get()?;
        if flags != 0 {
            return Err(INVALID_VALUE);
        }
        let now = current::context(driver)?;
        put(pctx, CUcontext::from_addr(now.handle() as usize))?;
        now.attached.fetch_add(1, Ordering::Relaxed);
        Ok(())
    }

    fn cuCtxDetach(ctx: CUcontext) {
        let driver = driver::get()?;
        if current::of_primary(driver, ctx.addr() as u64).is_some() {
            return Err(INVALID_CONTEXT);
        }
        let named = driver.contexts.get(ctx.addr() as u64).ok_or(INVALID_CONTEXT)?;
        if named.attached.fetch_sub(1, Ordering::Relaxed) > 1 {
            return Ok(());
        }
        destroy(ctx)
    }

    fn cuCtxSetCurrent(ctx: CUcontext) {
        let driver = driver::get()?;
        let handle = ctx.addr() as u64;
        if handle != 0 {
            current::device_of(driver, handle)?;
        }
        thread::set(handle)
    }

    fn cuCtxGetCurrent(pctx: *mut CUcontext) {
        driver::get()?;
        put(pctx, CUcontext::from_addr(thread::top() as usize))
    }

    fn cuCtxPushCurrent(ctx: CUcontext) { push(ctx) }

    fn cuCtxPushCurrent_v2(ctx: CUcontext) { push(ctx) }

    fn cuCtxPopCurrent(pctx: *mut CUcontext) {
        put_if(pctx, pop()?);
        Ok(())
    }

    fn cuCtxPopCurrent_v2(pctx: *mut CUcontext) {
        put_if(pctx, pop()?);
        Ok(())
    }

    fn cuCtxGetDevice(device: *mut CUdevice) {
        put(device, current::device_of(driver::get()?, thread::top())? as i32)
    }

    fn cuCtxGetDevice_v2(device: *mut CUdevice, ctx: CUcontext) {
        let driver = driver::get()?;
        let handle = if ctx.is_null() { thread::top() } else { ctx.addr() as u64 };
        put(device, current::device_of(driver, handle)? as i32)
    }

    fn cuCtxSynchronize() {
        synchronize(CUcontext::null())
    }

    fn cuCtxSynchronize_v2(ctx: CUcontext) {
        synchronize(ctx)
    }

    fn cuCtxGetApiVersion(ctx: CUcontext, version: *mut u32) {
        let driver = driver::get()?;
        let handle = if ctx.is_null() { thread::top() } else { ctx.addr() as u64 };
        current::device_of(driver, handle)?;
        put(version, API_VERSION)
    }

    fn cuCtxGetFlags(flags: *mut u32) {
        let now = current::context(driver::get()?)?;
        put(flags, now.flags.load(Ordering::Relaxed))
    }

    fn cuCtxSetFlags(flags: u32) {
        let now = current::context(driver::get()?)?;
        if flags & !context::FLAGS != 0 {
            return Err(INVALID_VALUE);
        }
        now.flags.store(flags, Ordering::Relaxed);
        Ok(())
    }

    fn cuCtxGetId(ctx: CUcontext, ctxId: *mut u64) {
        let driver = driver::get()?;
        let found = named(driver, ctx)?;
        let handle = if ctx.is_null() { thread::top() } else { ctx.addr() as u64 };
        put(ctxId, green::id_of(driver, handle).unwrap_or(found.state.id))
    }

    fn cuCtxGetLimit(pvalue: *mut usize, limit: CUlimit) {
        let now = current::context(driver::get()?)?;
        if limit.0 >= CUlimit::CU_LIMIT_MAX.0 {
            return Err(INVALID_VALUE);
        }
        put(pvalue, now.limit(limit.0 as usize).ok_or(UNSUPPORTED_LIMIT)? as usize)
    }

    fn cuCtxSetLimit(limit: CUlimit, value: usize) {
        let now = current::context(driver::get()?)?;
        if limit.0 >= CUlimit::CU_LIMIT_MAX.0 {
            return Err(INVALID_VALUE);
        }
        let value = match limit {
            CUlimit::CU_LIMIT_PERSISTING_L2_CACHE_SIZE => device::persisting_cache(value as u64),
            _ => value as u64,
        };
        now.set_limit(limit.0 as usize, value)
    }

    fn cuCtxGetStreamPriorityRange(leastPriority: *mut i32, greatestPriority: *mut i32) {
        current::context(driver::get()?)?;
        put_if(leastPriority, context::LEAST_PRIORITY);
        put_if(greatestPriority, context::GREATEST_PRIORITY);
        Ok(())
    }

    fn cuCtxGetCacheConfig(pconfig: *mut CUfunc_cache) {
        let now = current::context(driver::get()?)?;
        put(pconfig, CUfunc_cache(now.cache_config.load(Ordering::Relaxed)))
    }

    fn cuCtxSetCacheConfig(config: CUfunc_cache) {
        let now = current::context(driver::get()?)?;
        if config.0 > CUfunc_cache::CU_FUNC_CACHE_PREFER_EQUAL.0 {
            return Err(INVALID_VALUE);
        }
        now.cache_config.store(config.0, Ordering::Relaxed);
        Ok(())
    }

    fn cuCtxGetSharedMemConfig(pConfig: *mut CUsharedconfig) {
        let now = current::context(driver::get()?)?;
        put(pConfig, CUsharedconfig(now.shared_config.load(Ordering::Relaxed)))
    }

    fn cuCtxSetSharedMemConfig(config: CUsharedconfig) {
        let now = current::context(driver::get()?)?;
        if config.0 > CUsharedconfig::CU_SHARED_MEM_CONFIG_EIGHT_BYTE_BANK_SIZE.0 {
            return Err(INVALID_VALUE);
        }
        now.shared_config.store(config.0, Ordering::Relaxed);
        Ok(())
    }

    fn cuCtxResetPersistingL2Cache() {
        current::context(driver::get()?).map(drop)
    }
}
