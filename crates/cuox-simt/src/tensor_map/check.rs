//! The requirements of a tensor map's values (CUDA Driver API, *Tensor Map Object Management*).

use super::{Element, Interleave, MAX_RANK, Shape, Swizzle, TensorMap};

/// Returns an explanation unless `ok`.
fn require(ok: bool, why: impl FnOnce() -> String) -> Result<(), String> {
    match ok {
        true => Ok(()),
        false => Err(why()),
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
        };
        self.check_inner(inner)?;
        self.check_packed_swizzle()?;
        require(!self.fills_nan || self.element.is_float(), || {
            format!(
                "oobFill CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA needs elements of a floating-point type, not {:?}",
                self.element
            )
        })
    }

    /// Address, dimensions and strides in global memory.
    fn check_memory(&self, rank: usize) -> Result<(), String> {
        let wide = self.interleave == Interleave::B32 || self.element.is_padded();
        let align = if wide { 32 } else { 16 };
        self.check_address(align)?;
        for (n, &dim) in self.dims[..rank].iter().enumerate() {
            require((1..=1 << 32).contains(&dim), || {
                format!("globalDim[{n}] is {dim}; it must be from 1 to 2^32")
            })?;
        }
        let multiple = match self.element {
            Element::U4Align8 => 2,
            Element::U4Align16 | Element::U6Align16 => 128,
            _ => 1,
        };
        require(self.dims[0].is_multiple_of(multiple), || {
            format!(
                "globalDim[0] is {}; for {:?} it must be a multiple of {multiple}",
                self.dims[0], self.element
            )
        })?;
        for (n, &stride) in self.strides[..rank - 1].iter().enumerate() {
            require(stride.is_multiple_of(align) && stride < 1 << 40, || {
                format!(
                    "globalStrides[{n}] is {stride}; it must be a multiple of {align} and less than 2^40"
                )
            })?;
        }
        Ok(())
    }

    /// Checks the address alone.
    fn check_address(&self, align: u64) -> Result<(), String> {
        require(
            self.address != 0 && self.address.is_multiple_of(align),
            || {
                format!(
                    "globalAddress is {:#x}; it must not be 0 and be a multiple of {align}",
                    self.address
                )
            },
        )
    }

    fn check_element_strides(&self, rank: usize) -> Result<(), String> {
        // The first is not used where slices are not elements.
        let first = usize::from(self.interleave == Interleave::None);
        for (n, &stride) in self.element_strides[..rank].iter().enumerate().skip(first) {
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
        require((1..=256).contains(&channels), || {
            format!("channelsPerPixel is {channels}; it must be from 1 to 256")
        })?;
        require((1..=1024).contains(&pixels), || {
            format!("pixelsPerColumn is {pixels}; it must be from 1 to 1024")
        })
    }

    /// The extent of the innermost dimension, which has that name.
    fn check_inner(&self, (name, count): (&str, u32)) -> Result<(), String> {
        if self.interleave == Interleave::B32 {
            require(self.swizzle == Swizzle::B32, || {
                "interleave CU_TENSOR_MAP_INTERLEAVE_32B needs swizzle CU_TENSOR_MAP_SWIZZLE_32B"
                    .into()
            })?;
        }
        if self.interleave != Interleave::None {
            return require(self.element != Element::U6Align16, || {
                "CU_TENSOR_MAP_DATA_TYPE_16U6_ALIGN16B needs interleave CU_TENSOR_MAP_INTERLEAVE_NONE".into()
            });
        }
        if self.element.is_padded() {
            return require(count == 128, || {
                format!("{name} is {count}; for {:?} it must be 128", self.element)
            });
        }
        let bits = u64::from(count) * self.element.bits();
        require(bits.is_multiple_of(128), || {
            format!(
                "{name} is {count} elements of {} bits; together they must be a multiple of 16 bytes",
                self.element.bits()
            )
        })?;
        match self.swizzle.span_and_atom() {
            Some((span, _)) => require(bits / 8 <= span, || {
                format!(
                    "{name} is {} bytes; with swizzle {:?} it may be {span} at most",
                    bits / 8,
                    self.swizzle
                )
            }),
            None => Ok(()),
        }
    }

    fn check_packed_swizzle(&self) -> Result<(), String> {
        let fits = match self.element {
            Element::U4Align16 => matches!(
                self.swizzle,
                Swizzle::None | Swizzle::B128 | Swizzle::B128Atom32
            ),
            Element::U6Align16 => matches!(
                self.swizzle,
                Swizzle::None | Swizzle::B128 | Swizzle::B128Atom32 | Swizzle::B128Atom64
            ),
            _ => true,
        };
        require(fits, || {
            format!(
                "{:?} elements cannot have swizzle {:?}",
                self.element, self.swizzle
            )
        })
    }
}
