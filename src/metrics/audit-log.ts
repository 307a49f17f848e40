/** Metrics of the checkpoints of the audit log (sql/operator/measures_audit_log.sql). */
export type AuditLogMeasures = { checkpointAge: number; faults: number; treeSize: number };

export const auditLogGauges: { name: string; help: string; read: (measures: AuditLogMeasures) => number }[] = [
  {
    name: "botstead_audit_checkpoint_age_seconds",
    help: "Time since every entry of the audit log was last in a checkpoint and the checkpoint job found no fault.",
    read: ({ checkpointAge }) => checkpointAge,
  },
  {
    name: "botstead_audit_checkpoint_faults",
    help: "Faults in the audit log that no operator has accepted; no checkpoint is signed while there is one.",
    read: ({ faults }) => faults,
  },
  {
    name: "botstead_audit_tree_size",
    help: "Entries in the tree of the newest checkpoint.",
    read: ({ treeSize }) => treeSize,
  },
];
