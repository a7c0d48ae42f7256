/** The tables of LangGraph's `PostgresSaver`. */
export const checkpointTables = {
  tables: ['checkpoints', 'checkpoint_blobs', 'checkpoint_writes'],
  missing: 'it has no checkpoints of LangGraph',
} as const
