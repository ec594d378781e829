//! Machine principals: services that are not users and sign their requests. The handle is `hub.principals()`.
//!
//! A registry document defines them ([`load_registry`]); they report events and their own status.

pub use crate::identity::principals::{
    ACCEPT_SIGNATURE, Loaded, Machine, Principals, REGISTRY_SCHEMA, RegistryFile, RegistryFileState, Rejection,
    SignedHead, SignedRequest, is_kid, is_principal_id, load_registry, normal_authority,
};

#[doc(inline)]
pub use svc_model::principals::{
    Audience, Evidence, EvidenceFilter, EvidencePage, Fault, FaultCode, Faults, IngestStatus, Ingested, IngestedEvent,
    LoadedRegistry, MachineKey, MachineKeyStatus, NewMachineEvent, NewRuntimeStatus, Principal, PublicKey,
    PurgedEvents, Registry, RegistryChanges, RegistryPrincipal, RegistryProblem, RegistryView, RuntimeStatus, Scope,
    SourceConfig, SourceVersion,
};
