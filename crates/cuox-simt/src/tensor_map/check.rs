//! The requirements of a tensor map's values (CUDA Driver API, *Tensor Map Object Management*).

use super::{Interleave, MAX_RANK, Shape, TensorMap};

/// Returns an explanation unless `ok`.
fn require(ok: bool, why: impl FnOnce() -> String) -> Result<(), String> {
    match ok {
        true => Ok(()),
        false => Err(why()),
    }
}

fn check_counts(channels: u32, pixels: Option<u32>) -> Result<(), String> {
    require((1..=256).contains(&channels), || {
        format!("channelsPerPixel is {channels}; it must be from 1 to 256")
    })?;
    match pixels {
        Some(pixels) => require((1..=1024).contains(&pixels), || {
            format!("pixelsPerColumn is {pixels}; it must be from 1 to 1024")
        }),
        None => Ok(()),
    }
}

impl TensorMap {
    /// Checks the values, which are named as the driver's parameters. Returns what is wrong.
    pub fn check(&self) -> Result<(), String> {
        let rank = self.rank as usize;
        let least = match (self.shape, self.interleave) {
            (Shape::Tiled(_), Interleave::None) => 1,
            _ => 3,
        };
        require((least..=MAX_RANK).contains(&rank), || {
            format!(
                "tensorRank is {rank}; for this kind of tensor map it is from {least} to {MAX_RANK}"
            )
        })?;
        self.check_memory(rank)?;
        self.check_element_strides(rank)?;
        let inner = match self.shape {
            Shape::Tiled(box_dims) => {
                for (n, &dim) in box_dims[..rank].iter().enumerate() {
                    require((1..=256).contains(&dim), || {
                        format!("boxDim[{n}] is {dim}; it must be from 1 to 256")
                    })?;
                }
                ("boxDim[0]", box_dims[0])
            }
            Shape::Im2col { channels, .. } => {
                self.check_im2col(rank)?;
                ("channelsPerPixel", channels)
            }
            Shape::Im2colWide { channels, .. } => {
                self.check_im2col_wide()?;
                ("channelsPerPixel", channels)
            }
        };
        self.check_inner(inner)?;
        require(!self.fills_nan || self.element.is_float(), || {
            format!(
                "oobFill CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA needs elements of a floating-point type, not {:?}",
                self.element
            )
        })
    }

    /// Address, dimensions and strides in global memory.
    fn check_memory(&self, rank: usize) -> Result<(), String> {
        let align = match self.interleave {
            Interleave::B32 => 32,
            _ => 16,
        };
        // Null passes, as with a GPU's driver: a copy by it is a fault.
        require(self.address.is_multiple_of(align), || {
            format!(
                "globalAddress is {:#x}; it must be a multiple of {align}",
                self.address
            )
        })?;
        for (n, &dim) in self.dims[..rank].iter().enumerate() {
            require((1..=1 << 32).contains(&dim), || {
                format!("globalDim[{n}] is {dim}; it must be from 1 to 2^32")
            })?;
        }
        for (n, &stride) in self.strides[..rank - 1].iter().enumerate() {
            require(stride.is_multiple_of(align) && stride < 1 << 40, || {
                format!(
                    "globalStrides[{n}] is {stride}; it must be a multiple of {align} and less than 2^40"
                )
            })?;
        }
        Ok(())
    }

    /// The first is checked even where it is not used.
    fn check_element_strides(&self, rank: usize) -> Result<(), String> {
        for (n, &stride) in self.element_strides[..rank].iter().enumerate() {
            require((1..=8).contains(&stride), || {
                format!("elementStrides[{n}] is {stride}; it must be from 1 to 8")
            })?;
        }
        Ok(())
    }

    fn check_im2col(&self, rank: usize) -> Result<(), String> {
        let Shape::Im2col {
            lower,
            upper,
            channels,
            pixels,
        } = self.shape
        else {
            return Ok(());
        };
        let limit = match rank {
            3 => 1 << 15,
            4 => 1 << 7,
            _ => 1 << 4,
        };
        let spatial = rank - 2;
        let first = usize::from(self.interleave == Interleave::None);
        for n in 0..spatial {
            for (name, at) in [("Lower", lower[n]), ("Upper", upper[n])] {
                require((-limit..limit).contains(&at), || {
                    format!(
                        "pixelBox{name}Corner[{n}] is {at}; with {rank} dimensions it must be from {} to {}",
                        -limit,
                        limit - 1
                    )
                })?;
            }
            let size = self.dims[first + n] as i64 + i64::from(upper[n]) - i64::from(lower[n]);
            require(size > 0, || {
                format!(
                    "pixelBoxLowerCorner[{n}] and pixelBoxUpperCorner[{n}] leave nothing of the {} elements of globalDim[{}]",
                    self.dims[first + n],
                    first + n
                )
            })?;
        }
        check_counts(channels, Some(pixels))
    }

    fn check_im2col_wide(&self) -> Result<(), String> {
        let Shape::Im2colWide {
            lower,
            upper,
            channels,
            pixels,
        } = self.shape
        else {
            return Ok(());
        };
        for (name, at) in [("Lower", lower), ("Upper", upper)] {
            require(i16::try_from(at).is_ok(), || {
                format!(
                    "pixelBox{name}CornerWidth is {at}; it must be from {} to {}",
                    i16::MIN,
                    i16::MAX
                )
            })?;
        }
        let size = self.dims[1] as i64 + i64::from(upper) - i64::from(lower);
        require(size > 0, || {
            format!(
                "pixelBoxLowerCornerWidth and pixelBoxUpperCornerWidth leave nothing of the {} elements of globalDim[1]",
                self.dims[1]
            )
        })?;
        check_counts(channels, pixels)
    }

    /// The extent of the innermost dimension, which has that name.
    fn check_inner(&self, (name, count): (&str, u32)) -> Result<(), String> {
        let bytes = u64::from(count) * self.element.bytes();
        require(bytes.is_multiple_of(16), || {
            format!(
                "{name} is {count} elements of {} bytes; together they must be a multiple of 16 bytes",
                self.element.bytes()
            )
        })?;
        match self.swizzle.span() {
            Some(span) if self.interleave == Interleave::None => require(bytes <= span, || {
                format!(
                    "{name} is {bytes} bytes; with swizzle {:?} it may be {span} at most",
                    self.swizzle
                )
            }),
            _ => Ok(()),
        }
    }
}
