use cuox::{Buffer, Device, Error, Fill, PinnedBuffer, PinnedOptions, StreamOptions};

pub fn round_trip(device: Device) {
    let values: Vec<u32> = (0..1000).collect();
    let a = device.allocate(4000, None).unwrap();
    let b = device.allocate(4000, None).unwrap();
    a.copy_from_slice(&values, None).unwrap();
    b.copy_from(&a, None).unwrap();
    assert_eq!(b.to_vec::<u32>(None).unwrap(), values);
    let empty = device.allocate(0, None).unwrap();
    assert_eq!((empty.ptr(), empty.len()), (0, 0));
    empty.copy_from_slice::<u8>(&[], None).unwrap();
}

pub fn fills(device: Device) {
    let stream = device.create_stream(StreamOptions::default()).unwrap();
    let buffer = device.allocate(64, None).unwrap();
    for stream in [None, Some(&stream)] {
        buffer.fill(Fill::U8(0xab), stream).unwrap();
        assert_eq!(buffer.to_vec::<u8>(stream).unwrap(), [0xab; 64]);
        buffer.fill(Fill::U16(0x1234), stream).unwrap();
        assert_eq!(buffer.to_vec::<u16>(stream).unwrap(), [0x1234; 32]);
        buffer.fill(Fill::U32(0xdead_beef), stream).unwrap();
        assert_eq!(buffer.to_vec::<u32>(stream).unwrap(), [0xdead_beef; 16]);
    }
    let odd = device.allocate(7, None).unwrap();
    assert!(matches!(
        odd.fill(Fill::U32(0), None),
        Err(Error::Invalid(_))
    ));
}

pub fn ranges_are_checked(device: Device) {
    let buffer = device.allocate(16, None).unwrap();
    let error = buffer
        .copy_from_slice(&[0u8; 17], None)
        .unwrap_err()
        .to_string();
    assert_eq!(
        error,
        "17 bytes from byte 0 do not fit in a buffer of 16 bytes"
    );
    assert!(buffer.check_range(usize::MAX, 2).is_err());
    assert!(buffer.check_range(16, 0).is_ok());
    let bigger = device.allocate(32, None).unwrap();
    assert!(buffer.copy_from(&bigger, None).is_err());
}

pub fn in_stream_order(device: Device) {
    let stream = device.create_stream(StreamOptions::default()).unwrap();
    let values = vec![7u64; 4096];
    let kept = device.allocate(8 * 4096, Some(&stream)).unwrap();
    assert_eq!(kept.stream().is_some(), device.has_memory_pools());
    for _ in 0..100 {
        let passing = device.allocate(8 * 4096, Some(&stream)).unwrap();
        passing.copy_from_slice(&values, Some(&stream)).unwrap();
        kept.copy_from(&passing, Some(&stream)).unwrap();
    }
    assert_eq!(kept.to_vec::<u64>(Some(&stream)).unwrap(), values);
    let other = device.create_stream(StreamOptions::default()).unwrap();
    let twin = kept.clone();
    assert!(!kept.free_on(&other).unwrap());
    assert!(twin.free_on(&other).unwrap());
    other.sync().unwrap();
    assert!(device.context().unwrap().take_deferred_error().is_none());
}

pub fn pinned_and_managed(device: Device) {
    let context = device.context().unwrap();
    let stream = device.create_stream(StreamOptions::default()).unwrap();
    let mut pinned = PinnedBuffer::new(&context, 1 << 16, PinnedOptions::default()).unwrap();
    assert!(pinned.iter().all(|&b| b == 0));
    pinned.fill(9);
    let buffer = device.allocate(1 << 16, None).unwrap();
    // SAFETY: the pinned memory lives, untouched, until the stream is synchronised.
    unsafe { buffer.copy_from_host(0, pinned.as_ptr(), pinned.len(), Some(&stream)) }.unwrap();
    stream.sync().unwrap();
    pinned.fill(0);
    // SAFETY: the memory stays until the copy is done.
    unsafe { buffer.copy_to_host(0, pinned.as_ptr(), pinned.len(), Some(&stream)) }.unwrap();
    stream.sync().unwrap();
    assert!(pinned.iter().all(|&b| b == 9));
    if device.properties().unwrap().managed_memory {
        let managed = Buffer::managed(&context, 64).unwrap();
        managed.fill(Fill::U8(3), None).unwrap();
        context.sync().unwrap();
        // SAFETY: managed memory, and the device is idle.
        let seen = unsafe { std::slice::from_raw_parts(managed.ptr() as *const u8, 64) };
        assert_eq!(seen, [3; 64]);
    }
}

pub fn out_of_memory(device: Device) {
    let total = device.total_memory().unwrap();
    let error = device.allocate(total.saturating_mul(4), None).unwrap_err();
    assert!(error.is_out_of_memory(), "{error}");
    assert!(
        error.to_string().contains("bytes were asked for"),
        "{error}"
    );
    // It is not sticky.
    device
        .allocate(64, None)
        .unwrap()
        .fill(Fill::U8(1), None)
        .unwrap();
}
