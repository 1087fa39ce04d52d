//! Shapes and strides: where the elements of an array lie, relative to its first one.
//!
//! The rules are NumPy's: strides are in bytes and may be zero or negative, a dimension of one element may have any
//! stride, an array without elements is contiguous.

use smallvec::SmallVec;

/// The most dimensions of an array; NumPy 2's limit.
pub const MAX_DIMS: usize = 64;

/// A list with an entry for each dimension.
pub type Dims<T> = SmallVec<[T; 4]>;

/// The shape and the strides of an array, and the size of its elements.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Layout {
    shape: Dims<usize>,
    strides: Dims<isize>,
    itemsize: usize,
}

/// The order of the elements in memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Order {
    /// The last index varies fastest.
    #[default]
    C,
    /// The first index varies fastest (Fortran).
    F,
}

/// One entry of a subscript, with numbers that are in range already.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Index {
    /// One element: the dimension goes. Negative numbers count from the end.
    At(isize),
    /// `len` elements from `start`, `step` apart.
    Range {
        /// The first element, not negative.
        start: usize,
        /// Elements from one to the next; not 0.
        step: isize,
        /// The number of elements.
        len: usize,
    },
    /// A whole dimension.
    All,
    /// A new dimension of one element (`None`, `numpy.newaxis`).
    NewAxis,
    /// As many whole dimensions as are not mentioned otherwise (`...`).
    Ellipsis,
}

/// A shape, subscript or axis that an array cannot have.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LayoutError {
    /// More than [`MAX_DIMS`] dimensions.
    #[error("an array has at most {MAX_DIMS} dimensions, got {0}")]
    TooManyDims(usize),
    /// The size in bytes does not fit in an `isize`.
    #[error("an array of shape {0} with elements of {1} bytes is larger than the address space")]
    TooLarge(String, usize),
    /// A subscript outside a dimension.
    #[error("index {index} is out of bounds for axis {axis} with size {size}")]
    OutOfBounds {
        /// The subscript.
        index: isize,
        /// The dimension.
        axis: usize,
        /// Its number of elements.
        size: usize,
    },
    /// More subscripts than dimensions.
    #[error("too many indices: the array has {0} dimensions, got {1} indices")]
    TooManyIndices(usize, usize),
    /// `...` twice.
    #[error("an index can have only one ellipsis ('...')")]
    TwoEllipses,
    /// A reshape to another number of elements.
    #[error("cannot reshape an array of {0} elements into shape {1}")]
    OtherSize(usize, String),
    /// `-1` twice in a shape, or a number below.
    #[error("a shape takes one -1, and no other negative number; got {0}")]
    NegativeShape(String),
    /// Axes that are no permutation of the dimensions.
    #[error("axes {0} are no permutation of the array's {1} dimensions")]
    NoPermutation(String, usize),
    /// An axis that the array has not.
    #[error("axis {0} is out of bounds for an array of {1} dimensions")]
    NoAxis(isize, usize),
    /// An axis named twice.
    #[error("axis {0} is named twice")]
    AxisTwice(usize),
    /// `squeeze` of an axis with several elements.
    #[error("cannot remove axis {0}: it has {1} elements, not 1")]
    NotOne(usize, usize),
    /// Shapes that do not broadcast.
    #[error("shapes {0} and {1} cannot be broadcast together")]
    NoBroadcast(String, String),
    /// A view with elements of another size that does not come out even.
    #[error("{0}")]
    OtherItemSize(String),
    /// Strides for another number of dimensions.
    #[error("{0} strides for a shape of {1} dimensions")]
    OtherStrides(usize, usize),
}

/// A shape as Python shows it: `(2, 3)`, `(5,)`, `()`.
pub fn shown<T: std::fmt::Display>(shape: &[T]) -> String {
    let list: Vec<String> = shape.iter().map(ToString::to_string).collect();
    match list.len() {
        1 => format!("({},)", list[0]),
        _ => format!("({})", list.join(", ")),
    }
}

impl Layout {
    /// A layout without gaps.
    ///
    /// # Errors
    /// [`LayoutError::TooManyDims`], [`LayoutError::TooLarge`].
    pub fn contiguous(shape: &[usize], itemsize: usize, order: Order) -> Result<Self, LayoutError> {
        if shape.len() > MAX_DIMS {
            return Err(LayoutError::TooManyDims(shape.len()));
        }
        let too_large = || LayoutError::TooLarge(shown(shape), itemsize);
        let mut strides: Dims<isize> = SmallVec::from_elem(0, shape.len());
        // As in NumPy, an empty dimension does not make the strides of others zero.
        let mut step = isize::try_from(itemsize).map_err(|_| too_large())?;
        // Elements of no bytes are counted too.
        let mut elements = 1isize;
        let mut put = |axis: usize| -> Result<(), LayoutError> {
            strides[axis] = step;
            let size = isize::try_from(shape[axis].max(1)).map_err(|_| too_large())?;
            step = step.checked_mul(size).ok_or_else(too_large)?;
            elements = elements.checked_mul(size).ok_or_else(too_large)?;
            Ok(())
        };
        match order {
            Order::C => (0..shape.len()).rev().try_for_each(&mut put)?,
            Order::F => (0..shape.len()).try_for_each(&mut put)?,
        }
        Ok(Self {
            shape: shape.into(),
            strides,
            itemsize,
        })
    }

    /// A layout with any strides, in bytes.
    ///
    /// # Errors
    /// [`LayoutError::OtherStrides`], [`LayoutError::TooManyDims`], [`LayoutError::TooLarge`].
    pub fn strided(
        shape: &[usize],
        strides: &[isize],
        itemsize: usize,
    ) -> Result<Self, LayoutError> {
        if shape.len() != strides.len() {
            return Err(LayoutError::OtherStrides(strides.len(), shape.len()));
        }
        Self::of_dims(shape.into(), strides.into(), itemsize)
    }

    /// A layout with any strides, in bytes, of lists as long as each other.
    ///
    /// # Errors
    /// [`LayoutError::TooManyDims`], [`LayoutError::TooLarge`].
    #[inline]
    pub fn of_dims(
        shape: Dims<usize>,
        strides: Dims<isize>,
        itemsize: usize,
    ) -> Result<Self, LayoutError> {
        debug_assert_eq!(shape.len(), strides.len());
        if shape.len() > MAX_DIMS {
            return Err(LayoutError::TooManyDims(shape.len()));
        }
        let layout = Self {
            shape,
            strides,
            itemsize,
        };
        match layout.is_countable() && layout.checked_span().is_some() {
            true => Ok(layout),
            false => Err(LayoutError::TooLarge(shown(&layout.shape), itemsize)),
        }
    }

    /// True if the elements and their bytes can be counted, those of no bytes too, and without the empty dimensions.
    #[inline]
    fn is_countable(&self) -> bool {
        let mut sizes = self.shape.iter().map(|&size| size.max(1));
        let bytes = sizes.try_fold(self.itemsize.max(1), usize::checked_mul);
        bytes.is_some_and(|bytes| isize::try_from(bytes).is_ok())
    }

    /// Elements of each dimension.
    pub fn shape(&self) -> &[usize] {
        &self.shape
    }

    /// Bytes from one element of a dimension to the next.
    pub fn strides(&self) -> &[isize] {
        &self.strides
    }

    /// Bytes of an element.
    pub fn itemsize(&self) -> usize {
        self.itemsize
    }

    /// Number of dimensions.
    pub fn ndim(&self) -> usize {
        self.shape.len()
    }

    /// Number of elements.
    pub fn len(&self) -> usize {
        self.shape.iter().product()
    }

    /// True if there are no elements.
    pub fn is_empty(&self) -> bool {
        self.shape.contains(&0)
    }

    /// Bytes of all elements, without what lies between them.
    pub fn nbytes(&self) -> usize {
        self.len() * self.itemsize
    }

    /// The bytes that the elements lie in, relative to the first element: the lowest, and the one past the highest.
    pub fn span(&self) -> (isize, isize) {
        // Every constructor has checked it.
        self.checked_span().unwrap_or((0, 0))
    }

    #[inline]
    fn checked_span(&self) -> Option<(isize, isize)> {
        if self.is_empty() {
            return Some((0, 0));
        }
        let (mut low, mut high) = (0isize, isize::try_from(self.itemsize).ok()?);
        for (&size, &stride) in self.shape.iter().zip(&self.strides) {
            let reach = isize::try_from(size - 1).ok()?.checked_mul(stride)?;
            if reach < 0 {
                low = low.checked_add(reach)?;
            } else {
                high = high.checked_add(reach)?;
            }
        }
        high.checked_sub(low)?;
        Some((low, high))
    }

    /// True if the elements lie in this order without gaps.
    pub fn is_contiguous(&self, order: Order) -> bool {
        let mut step = self.itemsize as isize;
        let mut follows = |axis: usize| {
            let size = self.shape[axis];
            let right = size == 1 || self.strides[axis] == step;
            step *= size as isize;
            right
        };
        self.is_empty()
            || match order {
                Order::C => (0..self.ndim()).rev().all(&mut follows),
                Order::F => (0..self.ndim()).all(&mut follows),
            }
    }

    /// True if the elements fill [`Layout::span`], in whatever order.
    pub fn is_dense(&self) -> bool {
        let (low, high) = self.span();
        let distinct = {
            let mut axes: Dims<(usize, usize)> = self
                .shape
                .iter()
                .zip(&self.strides)
                .filter(|(size, _)| **size > 1)
                .map(|(&size, &stride)| (stride.unsigned_abs(), size))
                .collect();
            axes.sort_unstable();
            let mut step = self.itemsize;
            axes.iter().all(|&(stride, size)| {
                let right = stride == step;
                step = step.saturating_mul(size);
                right
            })
        };
        self.is_empty() || distinct && (high - low) as usize == self.nbytes()
    }

    /// True if the elements fill [`Layout::span`] and every dimension runs forwards.
    pub fn is_dense_forwards(&self) -> bool {
        let mut axes = self.shape.iter().zip(&self.strides);
        self.is_dense() && axes.all(|(&size, &stride)| size <= 1 || stride >= 0)
    }

    /// The layout of a new array of the same shape whose elements lie in the same order without gaps (NumPy's order
    /// `K`).
    pub fn like(&self, itemsize: usize) -> Result<Self, LayoutError> {
        self.reshaped_like(&self.shape, itemsize)
    }

    /// As [`Layout::like`], of another shape with as many dimensions.
    ///
    /// # Errors
    /// [`LayoutError::OtherStrides`] for another number of dimensions, [`LayoutError::TooLarge`].
    pub fn reshaped_like(&self, new: &[usize], itemsize: usize) -> Result<Self, LayoutError> {
        if new.len() != self.ndim() {
            return Err(LayoutError::OtherStrides(self.ndim(), new.len()));
        }
        if self.is_contiguous(Order::C) {
            return Self::contiguous(new, itemsize, Order::C);
        }
        let mut axes: Dims<usize> = (0..self.ndim()).collect();
        // Longest stride first; stable, so equal ones stay in C order.
        axes.sort_by_key(|&axis| std::cmp::Reverse(self.strides[axis].unsigned_abs()));
        let shape: Dims<usize> = axes.iter().map(|&axis| new[axis]).collect();
        let sorted = Self::contiguous(&shape, itemsize, Order::C)?;
        let mut layout = Self::contiguous(new, itemsize, Order::C)?;
        for (&axis, &stride) in axes.iter().zip(&sorted.strides) {
            layout.strides[axis] = stride;
        }
        Ok(layout)
    }

    /// The dimensions in the order of the memory, longest stride first, in which NumPy walks through an array
    /// (`ravel("K")`). Dimensions whose stride is zero stay where they are.
    pub fn by_memory(&self) -> Dims<usize> {
        let stride = |axis: usize| match self.shape[axis] {
            1 => 0,
            _ => self.strides[axis].unsigned_abs(),
        };
        let mut axes: Dims<usize> = Dims::new();
        // From the last dimension on, each goes behind the nearest one of a shorter stride.
        for axis in (0..self.ndim()).rev() {
            let mut place = axes.len();
            for i in (0..axes.len()).rev() {
                match (stride(axis), stride(axes[i])) {
                    (0, _) | (_, 0) => {}
                    (own, other) if other > own => place = i,
                    _ => break,
                }
            }
            axes.insert(place, axis);
        }
        axes.reverse();
        axes
    }

    /// The part of an array that a subscript names, and the bytes from the array's first element to the part's.
    ///
    /// # Errors
    /// [`LayoutError::OutOfBounds`], [`LayoutError::TooManyIndices`], [`LayoutError::TwoEllipses`].
    pub fn index(&self, items: &[Index]) -> Result<(Self, isize), LayoutError> {
        let named = items
            .iter()
            .filter(|item| !matches!(item, Index::NewAxis | Index::Ellipsis))
            .count();
        if named > self.ndim() {
            return Err(LayoutError::TooManyIndices(self.ndim(), named));
        }
        if items
            .iter()
            .filter(|&&item| item == Index::Ellipsis)
            .count()
            > 1
        {
            return Err(LayoutError::TwoEllipses);
        }
        let mut part = Self {
            shape: Dims::new(),
            strides: Dims::new(),
            itemsize: self.itemsize,
        };
        // Of an array without elements, strides may be anything.
        let moved =
            |offset: isize, by: isize, stride: isize| offset.wrapping_add(by.wrapping_mul(stride));
        let (mut axis, mut offset) = (0, 0);
        let rest = self.ndim() - named;
        for &item in items {
            match item {
                Index::At(index) => {
                    let size = self.shape[axis];
                    let from_start = if index < 0 {
                        index + size as isize
                    } else {
                        index
                    };
                    if from_start < 0 || from_start as usize >= size {
                        return Err(LayoutError::OutOfBounds { index, axis, size });
                    }
                    offset = moved(offset, from_start, self.strides[axis]);
                    axis += 1;
                }
                Index::Range { start, step, len } => {
                    if len > 0 {
                        self.check_range(axis, start, step, len)?;
                        offset = moved(offset, start as isize, self.strides[axis]);
                    }
                    part.push(len, self.strides[axis].wrapping_mul(step));
                    axis += 1;
                }
                Index::All => {
                    part.push(self.shape[axis], self.strides[axis]);
                    axis += 1;
                }
                Index::NewAxis => part.push(1, 0),
                Index::Ellipsis => {
                    for _ in 0..rest {
                        part.push(self.shape[axis], self.strides[axis]);
                        axis += 1;
                    }
                }
            }
        }
        while axis < self.ndim() {
            part.push(self.shape[axis], self.strides[axis]);
            axis += 1;
        }
        match part.ndim() > MAX_DIMS {
            true => Err(LayoutError::TooManyDims(part.ndim())),
            false if part.is_empty() => Ok((part, 0)),
            false => Ok((part, offset)),
        }
    }

    /// Refuses a range that leaves its dimension.
    fn check_range(
        &self,
        axis: usize,
        start: usize,
        step: isize,
        len: usize,
    ) -> Result<(), LayoutError> {
        let size = self.shape[axis];
        let last = isize::try_from(len - 1)
            .ok()
            .and_then(|steps| steps.checked_mul(step))
            .and_then(|reach| start.checked_add_signed(reach));
        match last {
            Some(last) if start < size && last < size => Ok(()),
            _ => Err(LayoutError::OutOfBounds {
                index: last.unwrap_or(start).max(start) as isize,
                axis,
                size,
            }),
        }
    }

    fn push(&mut self, size: usize, stride: isize) {
        self.shape.push(size);
        self.strides.push(stride);
    }

    /// The sizes of a shape in which one may be -1 for "as many as there are".
    ///
    /// # Errors
    /// [`LayoutError::OtherSize`], [`LayoutError::NegativeShape`].
    pub fn complete_shape(&self, shape: &[isize]) -> Result<Dims<usize>, LayoutError> {
        let text = || shown(shape);
        let open = shape.iter().filter(|&&size| size == -1).count();
        if open > 1 || shape.iter().any(|&size| size < -1) {
            return Err(LayoutError::NegativeShape(text()));
        }
        let known = shape
            .iter()
            .filter(|&&size| size != -1)
            .try_fold(1usize, |all, &size| all.checked_mul(size as usize))
            .ok_or_else(|| LayoutError::OtherSize(self.len(), text()))?;
        let fits = match open {
            0 => known == self.len(),
            _ => known != 0 && self.len().is_multiple_of(known),
        };
        if !fits {
            return Err(LayoutError::OtherSize(self.len(), text()));
        }
        Ok(shape
            .iter()
            .map(|&size| match size {
                -1 => self.len() / known,
                size => size as usize,
            })
            .collect())
    }

    /// The same elements under another shape, taken in this order of the indices; `None` if they have to be copied for
    /// that.
    ///
    /// # Errors
    /// [`LayoutError::OtherSize`], [`LayoutError::TooManyDims`].
    pub fn reshape(&self, shape: &[usize], order: Order) -> Result<Option<Self>, LayoutError> {
        let elements = shape
            .iter()
            .try_fold(1usize, |all, &size| all.checked_mul(size));
        if elements != Some(self.len()) {
            return Err(LayoutError::OtherSize(self.len(), shown(shape)));
        }
        let new = Self::contiguous(shape, self.itemsize, order)?;
        if self.is_empty() || self.is_contiguous(order) {
            return Ok(Some(new));
        }
        // Dimensions from the fastest on; those of one element have no say.
        let along = |layout: &Self| -> Dims<usize> {
            let axes = 0..layout.ndim();
            match order {
                Order::C => axes.rev().collect(),
                Order::F => axes.collect(),
            }
        };
        // Runs of dimensions of this layout that are one behind the other: elements, and the stride of the fastest.
        let mut runs: Dims<(usize, isize)> = Dims::new();
        for axis in along(self) {
            let (size, stride) = (self.shape[axis], self.strides[axis]);
            match runs.last_mut() {
                _ if size == 1 => {}
                Some((elements, fastest)) if stride == *fastest * *elements as isize => {
                    *elements *= size;
                }
                _ => runs.push((size, stride)),
            }
        }
        let mut result = new.clone();
        let mut runs = runs.into_iter();
        let (mut left, mut step) = runs.next().unwrap_or((1, self.itemsize as isize));
        for axis in along(&new) {
            let size = shape[axis];
            if size == 1 {
                continue;
            }
            if left == 1 {
                let Some(next) = runs.next() else {
                    return Ok(None);
                };
                (left, step) = next;
            }
            if !left.is_multiple_of(size) {
                return Ok(None);
            }
            result.strides[axis] = step;
            left /= size;
            step *= size as isize;
        }
        Ok(Some(result))
    }

    /// The dimensions in another order; without `axes`, reversed.
    ///
    /// # Errors
    /// [`LayoutError::NoPermutation`].
    pub fn transpose(&self, axes: Option<&[isize]>) -> Result<Self, LayoutError> {
        let ndim = self.ndim();
        let mut order: Dims<usize> = (0..ndim).rev().collect();
        if let Some(axes) = axes {
            let wrong = || LayoutError::NoPermutation(shown(axes), ndim);
            order.clear();
            for &axis in axes {
                let axis = self.axis(axis).map_err(|_| wrong())?;
                if order.contains(&axis) {
                    return Err(wrong());
                }
                order.push(axis);
            }
            if order.len() != ndim {
                return Err(wrong());
            }
        }
        Ok(Self {
            shape: order.iter().map(|&axis| self.shape[axis]).collect(),
            strides: order.iter().map(|&axis| self.strides[axis]).collect(),
            itemsize: self.itemsize,
        })
    }

    /// An axis, where negative ones count from the last.
    ///
    /// # Errors
    /// [`LayoutError::NoAxis`].
    pub fn axis(&self, axis: isize) -> Result<usize, LayoutError> {
        let ndim = self.ndim() as isize;
        let from_start = if axis < 0 { axis + ndim } else { axis };
        match (0..ndim).contains(&from_start) {
            true => Ok(from_start as usize),
            false => Err(LayoutError::NoAxis(axis, self.ndim())),
        }
    }

    /// A dimension from its other end. The first element becomes the one at that end.
    pub(super) fn reverse(&mut self, axis: usize) {
        self.strides[axis] = self.strides[axis].wrapping_neg();
    }

    /// Without the dimensions of one element, or without the named ones.
    ///
    /// # Errors
    /// [`LayoutError::NoAxis`], [`LayoutError::NotOne`], [`LayoutError::AxisTwice`].
    pub fn squeeze(&self, axes: Option<&[isize]>) -> Result<Self, LayoutError> {
        let mut gone: Dims<usize> = Dims::new();
        match axes {
            None => gone.extend((0..self.ndim()).filter(|&axis| self.shape[axis] == 1)),
            Some(axes) => {
                for &axis in axes {
                    let axis = self.axis(axis)?;
                    if self.shape[axis] != 1 {
                        return Err(LayoutError::NotOne(axis, self.shape[axis]));
                    }
                    if gone.contains(&axis) {
                        return Err(LayoutError::AxisTwice(axis));
                    }
                    gone.push(axis);
                }
            }
        }
        let left = || (0..self.ndim()).filter(|axis| !gone.contains(axis));
        Ok(Self {
            shape: left().map(|axis| self.shape[axis]).collect(),
            strides: left().map(|axis| self.strides[axis]).collect(),
            itemsize: self.itemsize,
        })
    }

    /// The same elements as an array of a larger shape, in which they are repeated (NumPy's broadcasting).
    ///
    /// # Errors
    /// [`LayoutError::NoBroadcast`], [`LayoutError::TooManyDims`], [`LayoutError::TooLarge`].
    pub fn broadcast_to(&self, shape: &[usize]) -> Result<Self, LayoutError> {
        // Its size in bytes must be a number too, though it takes no memory.
        Self::contiguous(shape, self.itemsize, Order::C)?;
        let no = || LayoutError::NoBroadcast(shown(&self.shape), shown(shape));
        let new = shape.len().checked_sub(self.ndim()).ok_or_else(no)?;
        let mut strides: Dims<isize> = SmallVec::from_elem(0, shape.len());
        for (axis, (&size, &stride)) in self.shape.iter().zip(&self.strides).enumerate() {
            strides[new + axis] = match (size, shape[new + axis]) {
                (have, want) if have == want => stride,
                (1, _) => 0,
                _ => return Err(no()),
            };
        }
        Ok(Self {
            shape: shape.into(),
            strides,
            itemsize: self.itemsize,
        })
    }

    /// The shape that arrays of several shapes have together.
    ///
    /// # Errors
    /// [`LayoutError::NoBroadcast`].
    pub fn broadcast_shapes(shapes: &[&[usize]]) -> Result<Dims<usize>, LayoutError> {
        let ndim = shapes.iter().map(|shape| shape.len()).max().unwrap_or(0);
        let mut all: Dims<usize> = SmallVec::from_elem(1, ndim);
        for shape in shapes {
            let new = ndim - shape.len();
            for (axis, &size) in shape.iter().enumerate() {
                let have = &mut all[new + axis];
                match (*have, size) {
                    (have, size) if have == size => {}
                    (_, 1) => {}
                    (1, size) => *have = size,
                    _ => {
                        return Err(LayoutError::NoBroadcast(shown(shapes[0]), shown(shape)));
                    }
                }
            }
        }
        Ok(all)
    }

    /// A part of every element, with the dimensions that the part itself has (a field of a structure). It begins at the
    /// element's own start.
    ///
    /// # Errors
    /// [`LayoutError::TooManyDims`], [`LayoutError::TooLarge`].
    pub fn field(&self, itemsize: usize, inner: &[usize]) -> Result<Self, LayoutError> {
        let part = Self::contiguous(inner, itemsize, Order::C)?;
        let mut layout = Self {
            itemsize,
            ..self.clone()
        };
        layout.shape.extend_from_slice(&part.shape);
        layout.strides.extend_from_slice(&part.strides);
        match layout.ndim() > MAX_DIMS {
            true => Err(LayoutError::TooManyDims(layout.ndim())),
            false => Ok(layout),
        }
    }

    /// The same bytes as elements of another size. The last dimension grows or shrinks with it, and must be without
    /// gaps for that.
    ///
    /// # Errors
    /// [`LayoutError::OtherItemSize`].
    pub fn view(&self, itemsize: usize) -> Result<Self, LayoutError> {
        let mut layout = Self {
            itemsize,
            ..self.clone()
        };
        if itemsize == self.itemsize {
            return Ok(layout);
        }
        let other = |text: String| Err(LayoutError::OtherItemSize(text));
        let (Some(size), Some(stride)) = (layout.shape.last_mut(), layout.strides.last_mut())
        else {
            return other(format!(
                "a 0-d array of {} bytes cannot be viewed as an element of {itemsize} bytes",
                self.itemsize
            ));
        };
        if *size != 1 && *stride != self.itemsize as isize && !self.is_empty() {
            return other(
                "only an array whose last dimension is contiguous can be viewed as elements of another size"
                    .to_owned(),
            );
        }
        if itemsize == 0 || itemsize < self.itemsize && !self.itemsize.is_multiple_of(itemsize) {
            return other(format!(
                "elements of {} bytes cannot be viewed as ones of {itemsize} bytes: no whole number of these fits",
                self.itemsize
            ));
        }
        let bytes = *size * self.itemsize;
        if !bytes.is_multiple_of(itemsize) {
            return other(format!(
                "the last dimension has {bytes} bytes, which is no multiple of {itemsize} bytes"
            ));
        }
        (*size, *stride) = (bytes / itemsize, itemsize as isize);
        Ok(layout)
    }

    /// The dimensions of several layouts of one shape, as few as possible: those of one element go, those that lie one
    /// behind the other in all of them become one, and the longest strides of the first layout come first. For kernels,
    /// whose time per element grows with the dimensions. Answers the sizes, and the strides of each layout.
    pub fn collapse(layouts: &[&Self]) -> (Dims<usize>, Vec<Dims<isize>>) {
        let Some(first) = layouts.first() else {
            return (Dims::new(), Vec::new());
        };
        let mut axes: Dims<usize> = (0..first.ndim())
            .filter(|&axis| first.shape[axis] != 1)
            .collect();
        axes.sort_by_key(|&axis| std::cmp::Reverse(first.strides[axis].unsigned_abs()));
        let mut shape: Dims<usize> = Dims::new();
        let mut strides: Vec<Dims<isize>> = vec![Dims::new(); layouts.len()];
        for axis in axes {
            let size = first.shape[axis];
            let joins = !shape.is_empty()
                && layouts.iter().zip(&strides).all(|(layout, strides)| {
                    strides.last() == Some(&(layout.strides[axis] * size as isize))
                });
            if joins {
                if let Some(last) = shape.last_mut() {
                    *last *= size;
                }
            } else {
                shape.push(size);
            }
            for (layout, strides) in layouts.iter().zip(&mut strides) {
                match strides.last_mut() {
                    Some(last) if joins => *last = layout.strides[axis],
                    _ => strides.push(layout.strides[axis]),
                }
            }
        }
        (shape, strides)
    }
}

#[cfg(test)]
mod tests;
