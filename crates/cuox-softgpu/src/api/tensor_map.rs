//! Tensor maps (CUDA Driver API, *Tensor Map Object Management*).

use crate::api::{driver_functions, list_of, put};
use crate::code::{INVALID_VALUE, Res};
use crate::{current, driver, fault};
use core::ffi::c_void;
use cuox_abi::{
    CUtensorMap, CUtensorMapDataType, CUtensorMapFloatOOBfill, CUtensorMapIm2ColWideMode,
    CUtensorMapInterleave, CUtensorMapL2promotion, CUtensorMapSwizzle,
};
use cuox_simt::tensor_map::{BYTES, Element, Interleave, MAX_RANK, Shape, Swizzle, TensorMap};

/// Refuses a call with an explanation.
fn refuse<T>(why: String) -> Res<T> {
    fault::explain(why);
    Err(INVALID_VALUE)
}

/// Refuses what a newer device has.
fn newer<T>(what: &str) -> Res<T> {
    refuse(format!(
        "{what} are for devices of compute capability 10.0 or higher; this one has 9.0"
    ))
}

/// The enumerator of a parameter, which `found` is if there is one.
fn known<T>(name: &str, value: u32, found: Option<T>) -> Res<T> {
    match found {
        Some(found) => Ok(found),
        None => refuse(format!("{name} is {value}, which no enumerator is")),
    }
}

/// The parameters that the functions share.
struct Common {
    data_type: CUtensorMapDataType,
    rank: u32,
    address: *mut c_void,
    dims: *const u64,
    strides: *const u64,
    element_strides: *const u32,
    interleave: CUtensorMapInterleave,
    swizzle: CUtensorMapSwizzle,
    l2_promotion: CUtensorMapL2promotion,
    fill: CUtensorMapFloatOOBfill,
}

/// Reads a list of the caller's.
///
/// # Safety
/// `at` is null or has `rank` elements.
unsafe fn read<T: Copy + Default, const N: usize>(
    name: &str,
    at: *const T,
    rank: usize,
) -> Res<[T; N]> {
    let mut values = [T::default(); N];
    if rank == 0 {
        return Ok(values);
    }
    // SAFETY: this function's contract is that of `list_of`.
    let Ok(list) = (unsafe { list_of(at, rank) }) else {
        return refuse(format!("{name} must point to {rank} elements"));
    };
    for (value, given) in values.iter_mut().zip(list) {
        *value = *given;
    }
    Ok(values)
}

impl Common {
    /// The tensor map with these parameters, which have been checked; `shape` reads the others.
    ///
    /// # Safety
    /// The lists are null or have as many elements as there are dimensions, the strides one less.
    unsafe fn encode(&self, map: *mut CUtensorMap, shape: impl FnOnce(usize) -> Res<Shape>) -> Res {
        let driver = driver::get()?;
        current::context(driver)?;
        check_pointer(map)?;
        let rank = self.rank as usize;
        if !(1..=MAX_RANK).contains(&rank) {
            return refuse(format!(
                "tensorRank is {rank}; it must be from 1 to {MAX_RANK}"
            ));
        }
        // SAFETY: by this function's contract.
        let (dims, strides, element_strides) = unsafe {
            (
                read("globalDim", self.dims, rank)?,
                read("globalStrides", self.strides, rank - 1)?,
                read("elementStrides", self.element_strides, rank)?,
            )
        };
        let (CUtensorMapL2promotion(promotion), CUtensorMapFloatOOBfill(fill)) =
            (self.l2_promotion, self.fill);
        let made = TensorMap {
            shape: shape(rank)?,
            address: self.address as u64,
            rank: self.rank,
            element: match self.data_type.0 {
                13..=15 => return newer("elements of 4 and 6 bits"),
                code => known("tensorDataType", code, Element::of_code(code))?,
            },
            dims,
            strides,
            element_strides,
            interleave: known(
                "interleave",
                self.interleave.0,
                Interleave::of_code(self.interleave.0),
            )?,
            swizzle: match self.swizzle.0 {
                4..=6 => return newer("the swizzle modes CU_TENSOR_MAP_SWIZZLE_128B_ATOM_*"),
                code => known("swizzle", code, Swizzle::of_code(code))?,
            },
            fills_nan: known("oobFill", fill, (fill < 2).then_some(fill == 1))?,
            l2_promotion: known(
                "l2Promotion",
                promotion,
                (promotion < 4).then_some(promotion as u8),
            )?,
        };
        if let Err(why) = made.check() {
            return refuse(why);
        }
        // SAFETY: by this function's contract; not null, which was checked.
        unsafe { put(map.cast::<[u8; BYTES]>(), made.encode()) }
    }
}

/// Checks the address of a tensor map. That it be a multiple of 64, as the manual has it, is not asked for: objects of
/// Python have maps in them at multiples of 16, those of NVIDIA's packages too.
fn check_pointer(map: *const CUtensorMap) -> Res {
    match map.is_null() {
        true => refuse("tensorMap is null".into()),
        false => Ok(()),
    }
}

driver_functions! {
    fn cuTensorMapEncodeTiled(tensorMap: *mut CUtensorMap, tensorDataType: CUtensorMapDataType, tensorRank: u32, globalAddress: *mut c_void, globalDim: *const u64, globalStrides: *const u64, boxDim: *const u32, elementStrides: *const u32, interleave: CUtensorMapInterleave, swizzle: CUtensorMapSwizzle, l2Promotion: CUtensorMapL2promotion, oobFill: CUtensorMapFloatOOBfill) {
        let common = Common {
            data_type: tensorDataType,
            rank: tensorRank,
            address: globalAddress,
            dims: globalDim,
            strides: globalStrides,
            element_strides: elementStrides,
            interleave,
            swizzle,
            l2_promotion: l2Promotion,
            fill: oobFill,
        };
        common.encode(tensorMap, |rank| Ok(Shape::Tiled(read("boxDim", boxDim, rank)?)))
    }

    fn cuTensorMapEncodeIm2col(tensorMap: *mut CUtensorMap, tensorDataType: CUtensorMapDataType, tensorRank: u32, globalAddress: *mut c_void, globalDim: *const u64, globalStrides: *const u64, pixelBoxLowerCorner: *const i32, pixelBoxUpperCorner: *const i32, channelsPerPixel: u32, pixelsPerColumn: u32, elementStrides: *const u32, interleave: CUtensorMapInterleave, swizzle: CUtensorMapSwizzle, l2Promotion: CUtensorMapL2promotion, oobFill: CUtensorMapFloatOOBfill) {
        let common = Common {
            data_type: tensorDataType,
            rank: tensorRank,
            address: globalAddress,
            dims: globalDim,
            strides: globalStrides,
            element_strides: elementStrides,
            interleave,
            swizzle,
            l2_promotion: l2Promotion,
            fill: oobFill,
        };
        common.encode(tensorMap, |rank| {
            if rank < 3 {
                return refuse(format!("tensorRank is {rank}; for im2col mode it is from 3 to {MAX_RANK}"));
            }
            Ok(Shape::Im2col {
                lower: read("pixelBoxLowerCorner", pixelBoxLowerCorner, rank - 2)?,
                upper: read("pixelBoxUpperCorner", pixelBoxUpperCorner, rank - 2)?,
                channels: channelsPerPixel,
                pixels: pixelsPerColumn,
            })
        })
    }

    // A GPU's driver encodes these on a device of compute capability 9.0 too, none of whose copies takes them.
    fn cuTensorMapEncodeIm2colWide(tensorMap: *mut CUtensorMap, tensorDataType: CUtensorMapDataType, tensorRank: u32, globalAddress: *mut c_void, globalDim: *const u64, globalStrides: *const u64, pixelBoxLowerCornerWidth: i32, pixelBoxUpperCornerWidth: i32, channelsPerPixel: u32, pixelsPerColumn: u32, elementStrides: *const u32, interleave: CUtensorMapInterleave, mode: CUtensorMapIm2ColWideMode, swizzle: CUtensorMapSwizzle, l2Promotion: CUtensorMapL2promotion, oobFill: CUtensorMapFloatOOBfill) {
        let common = Common {
            data_type: tensorDataType,
            rank: tensorRank,
            address: globalAddress,
            dims: globalDim,
            strides: globalStrides,
            element_strides: elementStrides,
            interleave,
            swizzle,
            l2_promotion: l2Promotion,
            fill: oobFill,
        };
        common.encode(tensorMap, |_| {
            let pixels = match mode.0 {
                0 => Some(Some(pixelsPerColumn)),
                1 => Some(None),
                _ => None,
            };
            Ok(Shape::Im2colWide {
                lower: pixelBoxLowerCornerWidth,
                upper: pixelBoxUpperCornerWidth,
                channels: channelsPerPixel,
                pixels: known("mode", mode.0, pixels)?,
            })
        })
    }

    fn cuTensorMapReplaceAddress(tensorMap: *mut CUtensorMap, globalAddress: *mut c_void) {
        current::context(driver::get()?)?;
        check_pointer(tensorMap)?;
        let at = tensorMap.cast::<[u8; BYTES]>();
        let Some(mut map) = TensorMap::decode(&at.read_unaligned()) else {
            return refuse("tensorMap is no tensor map that this driver has encoded".into());
        };
        map.address = globalAddress as u64;
        if let Err(why) = map.check() {
            return refuse(why);
        }
        put(at, map.encode())
    }
}
