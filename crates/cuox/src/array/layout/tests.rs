use super::*;

fn c(shape: &[usize]) -> Layout {
    Layout::contiguous(shape, 4, Order::C).expect("a layout")
}

#[test]
fn contiguous_layouts_have_the_strides_of_numpy() {
    assert_eq!(c(&[2, 3]).strides(), [12, 4]);
    let f = Layout::contiguous(&[2, 3], 4, Order::F).expect("a layout");
    assert_eq!(f.strides(), [4, 8]);
    assert!(f.is_contiguous(Order::F) && !f.is_contiguous(Order::C) && f.is_dense());
    assert!(c(&[5]).is_contiguous(Order::F) && c(&[]).is_contiguous(Order::C));
    assert!(c(&[0, 3]).is_contiguous(Order::F));
    assert!(matches!(
        Layout::contiguous(&[usize::MAX, 2], 4, Order::C),
        Err(LayoutError::TooLarge(..))
    ));
}

#[test]
fn subscripts_move_the_start_and_the_strides() {
    let a = c(&[4, 6]);
    let reversed = Index::Range {
        start: 5,
        step: -2,
        len: 3,
    };
    let (part, offset) = a.index(&[Index::At(-1), reversed]).expect("a part");
    assert_eq!(
        (part.shape(), part.strides(), offset),
        (&[3][..], &[-8][..], 3 * 24 + 20)
    );
    assert_eq!(part.span(), (-16, 4));
    let (part, _) = a
        .index(&[Index::Ellipsis, Index::NewAxis, Index::All])
        .expect("a part");
    assert_eq!(part.shape(), [4, 1, 6]);
    assert_eq!(
        a.index(&[Index::At(4)]),
        Err(LayoutError::OutOfBounds {
            index: 4,
            axis: 0,
            size: 4
        })
    );
    assert!(a.index(&[Index::All; 3]).is_err());
    for (start, step, len) in [(6, 1, 1), (4, 1, 3), (0, -1, 2), (1, isize::MAX, 3)] {
        let range = Index::Range { start, step, len };
        assert!(a.index(&[Index::All, range]).is_err(), "{range:?}");
    }
}

#[test]
fn reshapes_are_views_where_the_elements_lie_right() {
    let a = c(&[4, 6]);
    let (half, _) = a
        .index(&[Index::Range {
            start: 0,
            step: 2,
            len: 2,
        }])
        .expect("a part");
    let view = half
        .reshape(&[2, 2, 3], Order::C)
        .expect("a shape")
        .expect("a view");
    assert_eq!(view.strides(), [48, 12, 4]);
    assert_eq!(half.reshape(&[12], Order::C), Ok(None));
    assert_eq!(
        a.transpose(None)
            .expect("reversed")
            .reshape(&[24], Order::C),
        Ok(None)
    );
    let f = a
        .transpose(None)
        .expect("reversed")
        .reshape(&[24], Order::F);
    assert_eq!(f.expect("a shape").expect("a view").strides(), [4]);
    assert_eq!(
        a.complete_shape(&[-1, 8]).expect("a shape").as_slice(),
        [3, 8]
    );
    assert!(a.complete_shape(&[-1, 7]).is_err() && a.complete_shape(&[-1, -1]).is_err());
}

#[test]
fn memory_is_walked_through_as_numpy_does() {
    let order = |strides: &[isize]| {
        let shape = vec![3; strides.len()];
        let layout = Layout::strided(&shape, strides, 4).expect("a layout");
        layout.by_memory().to_vec()
    };
    assert_eq!(order(&[36, 12, 4]), [0, 1, 2]);
    assert_eq!(order(&[4, 12, 36]), [2, 1, 0]);
    assert_eq!(order(&[-4, 36, 12]), [1, 2, 0]);
    assert_eq!(order(&[0, 0, 4]), [0, 1, 2]);
    assert_eq!(order(&[4, 0, 12]), [1, 2, 0]);
    let wide = c(&[2, 3]).reshaped_like(&[5, 6], 8).expect("a layout");
    assert_eq!((wide.shape(), wide.strides()), (&[5, 6][..], &[48, 8][..]));
    assert!(c(&[2, 3]).reshaped_like(&[5], 8).is_err());
    let field = c(&[2, 3]).field(1, &[2]).expect("a layout");
    assert_eq!(
        (field.shape(), field.strides()),
        (&[2, 3, 2][..], &[12, 4, 1][..])
    );
}

#[test]
fn collapse_joins_what_lies_in_one_run() {
    let (a, f) = (
        c(&[2, 3, 4]),
        Layout::contiguous(&[2, 3, 4], 8, Order::F).expect("a layout"),
    );
    assert_eq!(Layout::collapse(&[&a, &a]).0.as_slice(), [24]);
    assert_eq!(Layout::collapse(&[&a, &f]).0.as_slice(), [2, 3, 4]);
    assert_eq!(Layout::collapse(&[&f]).0.as_slice(), [24]);
    let row = c(&[4]).broadcast_to(&[2, 3, 4]).expect("a shape");
    let (shape, strides) = Layout::collapse(&[&a, &row]);
    assert_eq!(
        (shape.as_slice(), strides[1].as_slice()),
        (&[6, 4][..], &[0, 4][..])
    );
}

#[test]
fn views_of_other_sizes_and_copies_keep_the_order() {
    assert_eq!(c(&[2, 6]).view(8).expect("even").shape(), [2, 3]);
    assert_eq!(c(&[2, 6]).view(1).expect("even").shape(), [2, 24]);
    assert!(c(&[2, 5]).view(8).is_err() && c(&[2, 5]).transpose(None).expect("T").view(2).is_err());
    let t = c(&[2, 5]).transpose(None).expect("T");
    assert_eq!(t.like(8).expect("a layout").strides(), [8, 40]);
}

#[test]
fn strides_of_nothing_may_be_anything() {
    let none = Layout::strided(&[0, 1, 3], &[isize::MIN, isize::MAX, isize::MAX], 4);
    let none = none.expect("no elements");
    let all = Index::Range {
        start: 2,
        step: -1,
        len: 3,
    };
    let (part, moved) = none
        .index(&[Index::All, Index::At(0), all])
        .expect("a part");
    assert_eq!((part.shape(), moved), (&[0, 3][..], 0));
    assert!(Layout::contiguous(&[1 << 62, 4], 0, Order::C).is_err());
}
