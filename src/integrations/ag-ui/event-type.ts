type Names = typeof import('@ag-ui/core').EventType

/** The types of events that are sent. They have the same names in every version of the protocol, so that no version has to be installed. */
export const EventType = Object.fromEntries(
  [
    ...['RUN_STARTED', 'RUN_FINISHED', 'RUN_ERROR', 'STEP_STARTED', 'STEP_FINISHED'],
    ...['TEXT_MESSAGE_START', 'TEXT_MESSAGE_CONTENT', 'TEXT_MESSAGE_END'],
    ...['REASONING_START', 'REASONING_MESSAGE_START', 'REASONING_MESSAGE_CONTENT'],
    ...['REASONING_MESSAGE_END', 'REASONING_END'],
    ...['TOOL_CALL_START', 'TOOL_CALL_ARGS', 'TOOL_CALL_END', 'TOOL_CALL_RESULT'],
    ...['MESSAGES_SNAPSHOT', 'STATE_SNAPSHOT', 'STATE_DELTA', 'ACTIVITY_SNAPSHOT', 'ACTIVITY_DELTA', 'CUSTOM', 'RAW'],
  ].map(name => [name, name]),
) as Names

export type EventType = import('@ag-ui/core').EventType
