/** Values that are rarely right where another one was. */
const oddValues: readonly unknown[] = ['', ' ', null, 7, true, [], {}, 'bad name!', 'srvtoolu_1', [null]]

/** Fields that a message, a call or a block may have, in some format and somewhere else. */
const oddFields: Readonly<Record<string, unknown>> = {
  name: 'bad name!',
  content: ' ',
  text: ' ',
  tool_calls: [],
  tool_call_id: 'call_1',
  function_call: { name: 'search', arguments: '{}' },
  invalid_tool_calls: [{ id: 'call_1', name: 'search', args: '{' }],
  additional_kwargs: {
    tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'search', arguments: '{}' } }],
  },
  custom: { name: 'search', input: 'x' },
  providerExecuted: true,
  toolInvocation: {},
  thought: true,
  type: 'unknown',
  error: ' ',
}

/** Blocks and messages of some format, which are rarely right at the beginning or the end of a list. */
const oddElements: readonly unknown[] = [
  { type: 'text', text: 'Well.' },
  { text: 'Well.' },
  { type: 'reasoning', text: 'Hm.' },
  { type: 'thinking', thinking: 'Hm.' },
  { type: 'tool_use', id: 'call_1', name: 'search', input: {} },
  { functionCall: { name: 'search', args: {} } },
  { functionResponse: { name: 'search', response: { output: 'done' } } },
  { type: 'data-note', data: {} },
]

/**
 * Every history that differs from this one by one edit: a value that is another, is new or is gone, or an element of a
 * list that is there twice, first, last or not at all. The input is not changed.
 */
export function* singleEdits(value: unknown): Generator<unknown> {
  if (Array.isArray(value)) yield* editsOfList(value)
  else if (typeof value === 'object' && value !== null) yield* editsOfObject(value as Record<string, unknown>)
}

function* editsOfList(list: readonly unknown[]): Generator<unknown> {
  for (const odd of oddElements) {
    yield [odd, ...list]
    yield [...list, odd]
  }
  for (const [index, element] of list.entries()) {
    const others = list.toSpliced(index, 1)
    yield others
    yield list.toSpliced(index, 0, element)
    if (index > 0) yield [element, ...others]
    if (index < list.length - 1) yield [...others, element]
    for (const odd of oddValues) yield list.with(index, odd)
    for (const edited of singleEdits(element)) yield list.with(index, edited)
  }
}

function* editsOfObject(object: Readonly<Record<string, unknown>>): Generator<unknown> {
  for (const [key, odd] of Object.entries(oddFields)) if (!(key in object)) yield { ...object, [key]: odd }
  for (const [key, value] of Object.entries(object)) {
    const { [key]: _, ...others } = object
    yield others
    for (const odd of oddValues) yield { ...object, [key]: odd }
    for (const edited of singleEdits(value)) yield { ...object, [key]: edited }
  }
}
