//! What a driver is: contexts, memory, streams, events, modules, faults
