"""How much memory this process uses: that of the device counts other processes, too."""

import cuox
from cuox.cuda.bindings import driver


def used_bytes() -> int:
    """Bytes that the current device's pool has given out."""
    pool = driver.cuDeviceGetDefaultMemPool(cuox.Device().device_id)[1]
    attribute = driver.CUmemPool_attribute.CU_MEMPOOL_ATTR_USED_MEM_CURRENT
    return int(driver.cuMemPoolGetAttribute(pool, attribute)[1])
