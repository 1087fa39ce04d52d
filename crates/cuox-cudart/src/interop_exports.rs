//! Functions of `cuda_gl_interop.h`, `cuda_egl_interop.h` and `cuda_vdpau_interop.h`, so that programs that can do
//! without them link and start. None is supported, so none looks at its arguments.

use cuox_abi::StreamClass;

use crate::call_guard::{self, Answer as _};
use crate::generated::cudaError;
use crate::log;

macro_rules! not_supported {
    ($($symbol:ident)*) => {
        $(
            #[doc = concat!("`", stringify!($symbol), "` of the runtime API: not supported.")]
            #[unsafe(no_mangle)]
            #[allow(non_snake_case, reason = "the header's functions")]
            pub extern "C" fn $symbol() -> cudaError {
                call_guard::enter(stringify!($symbol), StreamClass::Plain, || {
                    log::not_supported(stringify!($symbol));
                    cudaError::not_supported()
                })
            }
        )*
    };
}

not_supported! {
    cudaEGLStreamConsumerAcquireFrame
    cudaEGLStreamConsumerConnect
    cudaEGLStreamConsumerConnectWithFlags
    cudaEGLStreamConsumerDisconnect
    cudaEGLStreamConsumerReleaseFrame
    cudaEGLStreamProducerConnect
    cudaEGLStreamProducerDisconnect
    cudaEGLStreamProducerPresentFrame
    cudaEGLStreamProducerReturnFrame
    cudaEventCreateFromEGLSync
    cudaGLGetDevices
    cudaGLMapBufferObject
    cudaGLMapBufferObjectAsync
    cudaGLRegisterBufferObject
    cudaGLSetBufferObjectMapFlags
    cudaGLSetGLDevice
    cudaGLUnmapBufferObject
    cudaGLUnmapBufferObjectAsync
    cudaGLUnregisterBufferObject
    cudaGraphicsEGLRegisterImage
    cudaGraphicsGLRegisterBuffer
    cudaGraphicsGLRegisterImage
    cudaGraphicsResourceGetMappedEglFrame
    cudaGraphicsVDPAURegisterOutputSurface
    cudaGraphicsVDPAURegisterVideoSurface
    cudaVDPAUGetDevice
    cudaVDPAUSetVDPAUDevice
}
