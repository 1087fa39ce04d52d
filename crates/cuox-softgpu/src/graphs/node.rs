//! Nodes of graphs.

use crate::graphs::condition::Condition;
use crate::graphs::graph::Graph;
use crate::graphs::memory::GraphMemory;
use crate::loading::module::Function;
use crate::memory::Memory;
use crate::streams::event::Event;
use crate::streams::geometry::{Copy3d, CopySide, Fill};
use crate::streams::launch::GridLaunch;
use core::ffi::c_void;
use cuox_abi::{
    CUDA_MEM_ALLOC_NODE_PARAMS, CUDA_MEMCPY3D, CUgraph, CUgraphConditionalNodeType,
    CUgraphNodeType, CUlaunchAttributeID, CUlaunchAttributeValue, CUmemorytype,
};
use parking_lot::RwLock;
use std::sync::Arc;

/// A kernel node's launch.
pub struct KernelNode {
    pub function: Arc<Function>,
    pub launch: GridLaunch,
    /// Attributes that have no effect here, as they were set.
    pub attributes: Vec<(CUlaunchAttributeID, CUlaunchAttributeValue)>,
    /// Where each parameter lies in `launch.params`, as programs that ask for the node's parameters get it.
    pointers: Box<[*mut c_void]>,
}

// SAFETY: the pointers lead into the node's own buffer of parameters, which nobody changes.
unsafe impl Send for KernelNode {}
// SAFETY: as for `Send`.
unsafe impl Sync for KernelNode {}

impl KernelNode {
    pub fn new(
        function: Arc<Function>,
        launch: GridLaunch,
        attributes: Vec<(CUlaunchAttributeID, CUlaunchAttributeValue)>,
    ) -> Arc<KernelNode> {
        // The buffer stays where it is when the node moves.
        let base = launch.params.as_ptr();
        let place = |offset: u32| base.wrapping_add(offset as usize).cast_mut().cast();
        let pointers = function
            .info
            .params
            .iter()
            .map(|p| place(p.offset))
            .collect();
        Arc::new(KernelNode {
            function,
            launch,
            attributes,
            pointers,
        })
    }

    /// The form of `kernelParams`; null for a kernel without parameters.
    pub fn kernel_params(&self) -> *mut *mut c_void {
        if self.pointers.is_empty() {
            core::ptr::null_mut()
        } else {
            self.pointers.as_ptr().cast_mut()
        }
    }
}

/// A copy, as the program described it and ready to run.
pub struct CopyNode {
    pub record: CUDA_MEMCPY3D,
    pub shape: Copy3d,
}

// SAFETY: the record is the program's description; its pointers are not dereferenced but by the copy.
unsafe impl Send for CopyNode {}
// SAFETY: as for `Send`.
unsafe impl Sync for CopyNode {}

impl CopyNode {
    /// A copy that a stream recorded.
    pub fn recorded(shape: Copy3d) -> CopyNode {
        let rows = |side: &CopySide| match side.pitch {
            0 => 0,
            pitch => (side.slice / pitch) as usize,
        };
        CopyNode {
            record: CUDA_MEMCPY3D {
                srcMemoryType: CUmemorytype::CU_MEMORYTYPE_UNIFIED,
                srcDevice: shape.src.at,
                srcPitch: shape.src.pitch as usize,
                srcHeight: rows(&shape.src),
                dstMemoryType: CUmemorytype::CU_MEMORYTYPE_UNIFIED,
                dstDevice: shape.dst.at,
                dstPitch: shape.dst.pitch as usize,
                dstHeight: rows(&shape.dst),
                WidthInBytes: shape.width as usize,
                Height: shape.height as usize,
                Depth: shape.depth as usize,
                ..CUDA_MEMCPY3D::default()
            },
            shape,
        }
    }
}

/// A host function and its argument.
#[derive(Clone, Copy)]
pub struct HostNode {
    pub call: unsafe extern "C" fn(*mut c_void),
    pub data: usize,
}

/// Memory that a launch of the graph provides.
pub struct AllocNode {
    pub record: CUDA_MEM_ALLOC_NODE_PARAMS,
    pub memory: Arc<GraphMemory>,
}

// SAFETY: the record is the program's description, which is given back as it came.
unsafe impl Send for AllocNode {}
// SAFETY: as for `Send`.
unsafe impl Sync for AllocNode {}

/// A conditional node's work.
pub struct ConditionalNode {
    pub condition: Condition,
    pub kind: CUgraphConditionalNodeType,
    /// The graphs of which one runs.
    pub bodies: Vec<Arc<Graph>>,
    /// Their handles, as the program gets them for as long as the node lives.
    list: Box<[CUgraph]>,
}

// SAFETY: the list holds handles, which nobody follows.
unsafe impl Send for ConditionalNode {}
// SAFETY: as for `Send`.
unsafe impl Sync for ConditionalNode {}

impl ConditionalNode {
    pub fn new(
        condition: Condition,
        kind: CUgraphConditionalNodeType,
        bodies: Vec<Arc<Graph>>,
    ) -> ConditionalNode {
        let handle = |body: &Arc<Graph>| CUgraph::from_addr(body.handle as usize);
        ConditionalNode {
            condition,
            kind,
            list: bodies.iter().map(handle).collect(),
            bodies,
        }
    }

    /// True if a node of that kind can have so many graphs.
    pub fn can_have(kind: CUgraphConditionalNodeType, bodies: u32) -> bool {
        use CUgraphConditionalNodeType as Kind;
        match kind {
            Kind::CU_GRAPH_COND_TYPE_IF => matches!(bodies, 1 | 2),
            Kind::CU_GRAPH_COND_TYPE_WHILE => bodies == 1,
            Kind::CU_GRAPH_COND_TYPE_SWITCH => bodies > 0,
            _ => false,
        }
    }

    /// The handles of the graphs, in the node's own memory.
    pub fn list(&self) -> *mut CUgraph {
        self.list.as_ptr().cast_mut()
    }
}

/// The work of a node.
#[derive(Clone)]
pub enum NodeWork {
    Kernel(Arc<KernelNode>),
    Copy(Arc<CopyNode>),
    Fill(Fill),
    Host(HostNode),
    Graph(Arc<Graph>),
    Empty,
    WaitEvent(Arc<Event>),
    RecordEvent(Arc<Event>),
    Alloc(Arc<AllocNode>),
    Free(u64),
    Conditional(Arc<ConditionalNode>),
}

impl NodeWork {
    /// True for work that nodes in a conditional node's graph may have: what a GPU does without the host, so that
    /// copies are of memory that it reaches.
    pub fn may_be_conditional(&self, memory: &Memory) -> bool {
        match self {
            NodeWork::Kernel(_)
            | NodeWork::Empty
            | NodeWork::Graph(_)
            | NodeWork::Fill(_)
            | NodeWork::Conditional(_) => true,
            NodeWork::Copy(node) => {
                let sides = [node.shape.dst, node.shape.src];
                sides.iter().all(|side| memory.find(side.at).is_some())
            }
            _ => false,
        }
    }

    /// The graphs inside of it.
    pub fn inner(&self) -> &[Arc<Graph>] {
        match self {
            NodeWork::Graph(child) => std::slice::from_ref(child),
            NodeWork::Conditional(node) => &node.bodies,
            _ => &[],
        }
    }

    pub fn kind(&self) -> CUgraphNodeType {
        use CUgraphNodeType as T;
        match self {
            NodeWork::Kernel(_) => T::CU_GRAPH_NODE_TYPE_KERNEL,
            NodeWork::Copy(_) => T::CU_GRAPH_NODE_TYPE_MEMCPY,
            NodeWork::Fill(_) => T::CU_GRAPH_NODE_TYPE_MEMSET,
            NodeWork::Host(_) => T::CU_GRAPH_NODE_TYPE_HOST,
            NodeWork::Graph(_) => T::CU_GRAPH_NODE_TYPE_GRAPH,
            NodeWork::Empty => T::CU_GRAPH_NODE_TYPE_EMPTY,
            NodeWork::WaitEvent(_) => T::CU_GRAPH_NODE_TYPE_WAIT_EVENT,
            NodeWork::RecordEvent(_) => T::CU_GRAPH_NODE_TYPE_EVENT_RECORD,
            NodeWork::Alloc(_) => T::CU_GRAPH_NODE_TYPE_MEM_ALLOC,
            NodeWork::Free(_) => T::CU_GRAPH_NODE_TYPE_MEM_FREE,
            NodeWork::Conditional(_) => T::CU_GRAPH_NODE_TYPE_CONDITIONAL,
        }
    }
}

/// A node.
pub struct Node {
    pub handle: u64,
    /// The graph that it is in.
    pub graph: u64,
    /// The node that it is a copy of; 0 for none.
    pub original: u64,
    pub work: RwLock<NodeWork>,
}
