/**
 * How OpenHands reads a conversation from its directory and turns it into what the model is to see: the event log, the
 * branch that leads to its head, and the view of it. Written from a reading of the program, it shares nothing with the
 * doctor.
 */

/** The files of a conversation, by their path in its directory. */
export type Files = ReadonlyMap<string, Uint8Array>

export type Event = Record<string, unknown> & { readonly id: string; readonly kind: string }

/**
 * - `plain`: every event of the branch that has words. Where something was condensed, what does not pair is left out.
 * - `enforced`: as it is read from disk since 2026-05-05. What does not pair is left out, and of two results the second.
 */
export type Age = 'plain' | 'enforced'

export const ages: readonly Age[] = ['plain', 'enforced']

/** The events that become messages, root first. Throws where the program cannot load the conversation. */
export function viewOf(files: Files, age: Age): Event[] {
  const log = readLog(files)
  const branch = pathToRoot(log, headOf(files, log))
  let view: Event[] = []
  for (const event of branch) {
    if (event.kind === 'Condensation') view = condensed(view, event)
    else if (isSpoken(event)) view.push(event)
  }
  if (age === 'enforced') return enforced(view, branch, [uniqueResults, wholeBatches, pairedCalls, wholeLoops])
  return branch.some(({ kind }) => kind === 'Condensation') ? enforced(view, branch, [wholeBatches, pairedCalls]) : view
}

/** The events on the branch that the program continues, root first. */
export const branchOf = (files: Files): Event[] => {
  const log = readLog(files)
  return pathToRoot(log, headOf(files, log))
}

/** Actions that the program runs when it continues, before it asks the model: none of them has a result. */
export function unmatchedActions(files: Files): Event[] {
  const actions = new Set<unknown>()
  const calls = new Set<unknown>()
  const unmatched: Event[] = []
  for (const event of branchOf(files).toReversed()) {
    if (event.kind === 'ObservationEvent' || event.kind === 'UserRejectObservation') actions.add(event.action_id)
    else if (event.kind === 'AgentErrorEvent') calls.add(event.tool_call_id)
    else if (event.kind === 'ActionEvent' && event.action && !actions.has(event.id) && !calls.has(event.tool_call_id))
      unmatched.unshift(event)
  }
  return unmatched
}

interface Log {
  readonly events: readonly Event[]
  /** The ids in the names of the files. */
  readonly ids: readonly string[]
  readonly index: ReadonlyMap<string, number>
}

const eventName = /^event-(\d{5,})-([0-9a-fA-F-]{8,})\.json$/

/** Reads up to the first gap. Of two files with one number the later one counts. */
function readLog(files: Files): Log {
  const byIndex = new Map<number, { id: string; path: string }>()
  for (const path of files.keys()) {
    const match = path.startsWith('events/') ? eventName.exec(path.slice('events/'.length)) : null
    if (match) byIndex.set(Number(match[1]), { id: match[2] as string, path })
  }
  const events: Event[] = []
  const ids: string[] = []
  const index = new Map<string, number>()
  for (let next = byIndex.get(0); next; next = byIndex.get(events.length)) {
    const event = parse(files, next.path)
    if (typeof event.kind !== 'string' || typeof event.id !== 'string') throw new Error(`${next.path} is no event`)
    if (!index.has(next.id)) index.set(next.id, events.length)
    events.push(event as Event)
    ids.push(next.id)
  }
  return { events, ids, index }
}

function parse(files: Files, path: string): Record<string, unknown> {
  const text = new TextDecoder('utf-8', { fatal: true }).decode(files.get(path))
  if (text === '') throw new Error(`${path} is empty`)
  return JSON.parse(text) as Record<string, unknown>
}

const artefacts: ReadonlySet<unknown> = new Set(['ConversationStateUpdateEvent', 'ConversationErrorEvent'])

function headOf(files: Files, { events, ids }: Log): string | undefined {
  const state = parse(files, 'base_state.json')
  if (typeof state.leaf_event_id === 'string') return state.leaf_event_id
  if (state.head_is_empty === true) return undefined
  return ids[events.findLastIndex(({ kind }) => !artefacts.has(kind))]
}

function pathToRoot({ events, ids, index }: Log, head: string | undefined): Event[] {
  const path: Event[] = []
  const seen = new Set<string>()
  for (let id = head; id !== undefined; ) {
    if (seen.has(id)) throw new Error(`cycle at ${id}`)
    seen.add(id)
    const place = index.get(id)
    if (place === undefined) throw new Error(`unknown event ${id}`)
    const event = events[place] as Event
    path.unshift(event)
    if (typeof event.parent_id === 'string') id = event.parent_id === '__root__' ? undefined : event.parent_id
    else id = place === 0 ? undefined : ids[place - 1]
  }
  return path
}

const results: ReadonlySet<string> = new Set(['ObservationEvent', 'UserRejectObservation', 'AgentErrorEvent'])

export const isResult = ({ kind }: Event): boolean => results.has(kind)

export const isAction = ({ kind }: Event): boolean => kind === 'ActionEvent'

const isSpoken = (event: Event): boolean =>
  isResult(event) || isAction(event) || event.kind === 'MessageEvent' || event.kind === 'SystemPromptEvent'

function condensed(view: readonly Event[], condensation: Event): Event[] {
  const forgotten = new Set(condensation.forgotten_event_ids as string[])
  const kept = view.filter(({ id }) => !forgotten.has(id))
  const { summary, summary_offset: offset, id } = condensation
  if (typeof summary === 'string' && typeof offset === 'number')
    kept.splice(offset, 0, { kind: 'CondensationSummaryEvent', id: `${id}-summary`, summary })
  return kept
}

type Property = (view: readonly Event[], all: readonly Event[]) => Set<string>

function enforced(view: Event[], all: readonly Event[], properties: readonly Property[]): Event[] {
  for (const property of properties) {
    const gone = property(view, all)
    const left = view.filter(({ id }) => !gone.has(id))
    if (gone.size > 0) return enforced(left, all, properties)
  }
  return view
}

const uniqueResults: Property = view => {
  const seen = new Set<unknown>()
  const gone = new Set<string>()
  for (const event of view.filter(isResult)) {
    if (seen.has(event.tool_call_id)) gone.add(event.id)
    seen.add(event.tool_call_id)
  }
  return gone
}

const wholeBatches: Property = (view, all) => {
  const batches = batchesIn(all)
  const gone = new Set<string>()
  for (const [response, batch] of batchesIn(view)) {
    if (batch.size !== batches.get(response)?.size) for (const id of batch) gone.add(id)
  }
  return gone
}

function batchesIn(events: readonly Event[]): Map<unknown, Set<string>> {
  const batches = new Map<unknown, Set<string>>()
  for (const event of events.filter(isAction)) {
    const batch = batches.get(event.llm_response_id)
    if (batch) batch.add(event.id)
    else batches.set(event.llm_response_id, new Set([event.id]))
  }
  return batches
}

const pairedCalls: Property = view => {
  const called = new Set(view.filter(isAction).map(event => event.tool_call_id))
  const answered = new Set(view.filter(isResult).map(event => event.tool_call_id))
  const isLone = (event: Event): boolean =>
    (isAction(event) && !answered.has(event.tool_call_id)) || (isResult(event) && !called.has(event.tool_call_id))
  return new Set(view.filter(isLone).map(({ id }) => id))
}

/** Thinking must stay with all calls and results that followed it without another message. */
const wholeLoops: Property = (view, all) => {
  const inView = new Set(view.map(({ id }) => id))
  const gone = new Set<string>()
  for (const loop of loopsIn(all)) {
    if (loop.every(id => inView.has(id))) continue
    for (const id of loop) if (inView.has(id)) gone.add(id)
  }
  return gone
}

function loopsIn(events: readonly Event[]): string[][] {
  const loops: string[][] = []
  let open: string[] | undefined
  for (const event of events) {
    if (isAction(event) && (event.thinking_blocks as unknown[] | undefined)?.length) {
      open = [event.id]
      loops.push(open)
    } else if (isAction(event) || isResult(event)) open?.push(event.id)
    else open = undefined
  }
  return loops
}
