//! Cube maps: the face and point that a direction hits, and the neighbouring face beyond an edge.
//!
//! CUDA C++ Programming Guide, "Cubemap Textures".

/// A face, 0 to 5, and a point on it with coordinates from 0 to 1.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct FacePoint {
    /// +x, -x, +y, -y, +z, -z.
    pub face: u32,
    /// The coordinate along a row.
    pub s: f32,
    /// The coordinate down the rows.
    pub t: f32,
}

/// Returns the point where a direction hits the cube. NaN counts as 0. A zero or infinite direction gives the middle
/// of face 4.
pub fn hit(direction: [f32; 3]) -> FacePoint {
    let known = !direction.iter().any(|c| c.is_infinite());
    let [x, y, z] = direction.map(|c| if known && !c.is_nan() { c } else { 0.0 });
    let (ax, ay, az) = (x.abs(), y.abs(), z.abs());
    let (face, s, t, m) = if az >= ax && az >= ay {
        if z.is_sign_negative() {
            (5, -x, -y, az)
        } else {
            (4, x, -y, az)
        }
    } else if ay >= ax {
        if y.is_sign_negative() {
            (3, x, -z, ay)
        } else {
            (2, x, z, ay)
        }
    } else if x.is_sign_negative() {
        (1, z, -y, ax)
    } else {
        (0, -z, -y, ax)
    };
    let m = if m > 0.0 { m } else { 1.0 };
    FacePoint {
        face,
        s: (s / m + 1.0) * 0.5,
        t: (t / m + 1.0) * 0.5,
    }
}

/// Returns the texel at `(x, y)` of a face with `size` texels per side, or of its neighbour if that is one past an
/// edge; `None` past a corner.
pub fn neighbour(face: u32, x: i64, y: i64, size: u32) -> Option<(u32, u32, u32)> {
    let size = i64::from(size);
    let inside = 0..size;
    match (inside.contains(&x), inside.contains(&y)) {
        (true, true) => return Some((face, x as u32, y as u32)),
        (false, false) => return None,
        _ => {}
    }
    // Twice the distance from the face's middle, in texels. The face is as far from the cube's middle as half its
    // width.
    let (s, t) = (2 * x + 1 - size, 2 * y + 1 - size);
    let direction = match face {
        0 => [size, -t, -s],
        1 => [-size, -t, s],
        2 => [s, size, t],
        3 => [s, -size, -t],
        4 => [s, -t, size],
        _ => [-s, -t, -size],
    };
    // The coordinate beyond the edge is now the largest.
    let [x, y, z] = direction;
    let (ax, ay, az) = (x.abs(), y.abs(), z.abs());
    let (face, s, t, m) = if ax > ay && ax > az {
        if x > 0 {
            (0, -z, -y, ax)
        } else {
            (1, z, -y, ax)
        }
    } else if ay > az {
        if y > 0 { (2, x, z, ay) } else { (3, x, -z, ay) }
    } else if z > 0 {
        (4, x, -y, az)
    } else {
        (5, -x, -y, az)
    };
    let index = |c: i64| ((c + m) * size / (2 * m)).clamp(0, size - 1) as u32;
    Some((face, index(s), index(t)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directions_meet_faces() {
        for (direction, face) in [
            ([1.0, 0.0, 0.0], 0),
            ([-2.0, 1.0, 0.5], 1),
            ([0.5, 3.0, -1.0], 2),
            ([0.0, -0.1, 0.0], 3),
            ([0.1, 0.1, 0.2], 4),
            ([0.1, 0.1, -0.2], 5),
        ] {
            assert_eq!(hit(direction).face, face, "{direction:?}");
        }
    }

    #[test]
    fn edges_are_shared() {
        // Crossing an edge and back ends at the first texel.
        for size in [1, 2, 5] {
            for face in 0..6 {
                let n = i64::from(size);
                for k in 0..n {
                    for (x, y, inner) in [
                        (-1, k, (0, k)),
                        (n, k, (n - 1, k)),
                        (k, -1, (k, 0)),
                        (k, n, (k, n - 1)),
                    ] {
                        let (other, u, v) = neighbour(face, x, y, size).unwrap();
                        assert_ne!(other, face);
                        let (u, v) = (i64::from(u), i64::from(v));
                        let around = [(u - 1, v), (u + 1, v), (u, v - 1), (u, v + 1)];
                        let back = around.iter().any(|&(u, v)| {
                            neighbour(other, u, v, size)
                                == Some((face, inner.0 as u32, inner.1 as u32))
                        });
                        assert!(back, "face {face} ({x}, {y}) of {size}");
                    }
                }
            }
        }
    }
}
