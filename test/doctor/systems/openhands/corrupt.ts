import { Random } from '../../../laws/random.ts'
import { eventId, json, text } from './generate.ts'
import { Tangle } from './tangle.ts'
import { type Event, type Files, isAction, isResult } from './view.ts'

/** A conversation with one to four defects, as crashes and the program's own defects cause them. */
export function corrupt(seed: number, files: Files): Map<string, Uint8Array> {
  const random = new Random(seed + 77_777)
  const tangle = new Tangle(files)
  const count = random.range(1, 4)
  for (let done = 0; done < count; done++) random.pick(faults)(tangle, random)
  return tangle.files()
}

type Fault = (tangle: Tangle, random: Random) => void

const placesOf = (tangle: Tangle, wanted: (event: Event) => boolean): number[] =>
  tangle.branch().filter(place => wanted(tangle.at(place)))

/** Picks an event on the branch, if there is one of the kind. */
function pickOne(tangle: Tangle, random: Random, wanted: (event: Event) => boolean): number | undefined {
  const places = placesOf(tangle, wanted)
  return places.length > 0 ? random.pick(places) : undefined
}

/** One of the next events on the branch from a place on. */
function placeAfter(tangle: Tangle, random: Random, place: number): number {
  const branch = tangle.branch()
  const rest = branch.filter(index => index >= place).slice(0, 4)
  return rest.length > 0
    ? random.pick(rest)
    : (branch.at(-1) ?? tangle.events.findLastIndex(event => event !== undefined))
}

const isUser = ({ kind, source }: Event): boolean => kind === 'MessageEvent' && source === 'user'

const stamp = '2026-02-27T09:00:00.000000'

function made(tangle: Tangle, random: Random, source: string, fields: object, kind: string): string {
  const parent = tangle.isTree ? { parent_id: '-' } : {}
  return json({ id: eventId(random), timestamp: stamp, source, ...parent, ...fields, kind })
}

const userWords = (tangle: Tangle, random: Random): string => {
  const message = { role: 'user', content: [text(random.sentence())], thinking_blocks: [] }
  return made(
    tangle,
    random,
    'user',
    { llm_message: message, activated_skills: [], extended_content: [] },
    'MessageEvent',
  )
}

const restartError = (tangle: Tangle, random: Random, { tool_name, tool_call_id }: Event): string => {
  const error = `A restart occurred while this tool was in progress. ${random.word()}`
  return made(tangle, random, 'agent', { tool_name, tool_call_id, error }, 'AgentErrorEvent')
}

/** A copy of an event under a new id. */
const twin = (tangle: Tangle, random: Random, place: number): string =>
  (tangle.events[place] as string).replace(/"id":"[^"]*"/, `"id":"${eventId(random)}"`)

const faults: readonly Fault[] = [
  function crashInBatch(tangle, random) {
    const place = pickOne(tangle, random, event => isAction(event) || isResult(event))
    if (place === undefined) return
    tangle.cut(place)
    tangle.setStatus(random.pick(['running', 'error', 'idle']))
    if (random.chance(0.4)) tangle.insert(tangle.branch().at(-1), userWords(tangle, random))
  },
  function errorAndObservation(tangle, random) {
    const place = pickOne(tangle, random, ({ kind }) => kind === 'ObservationEvent')
    if (place === undefined) return
    tangle.insert(place, restartError(tangle, random, tangle.at(place)))
    const late = tangle.remove(place)
    const behind = placeAfter(tangle, random, place)
    if (random.chance(0.7)) {
      tangle.insert(behind, userWords(tangle, random))
      tangle.insert(behind + 1, late)
    } else tangle.insert(behind, late)
    tangle.setStatus('error')
  },
  function lateResult(tangle, random) {
    const place = pickOne(tangle, random, isResult)
    if (place === undefined) return
    const result = tangle.remove(place)
    const behind = placeAfter(tangle, random, place - 1)
    if (random.chance(0.5)) {
      tangle.insert(behind, userWords(tangle, random))
      tangle.insert(behind + 1, result)
    } else tangle.insert(behind, result)
  },
  function doubledResult(tangle, random) {
    const place = pickOne(tangle, random, isResult)
    if (place === undefined) return
    const branch = tangle.branch().filter(index => index >= place)
    tangle.insert(random.pick(branch), twin(tangle, random, place))
  },
  function lostResult(tangle, random) {
    const place = pickOne(tangle, random, isResult)
    if (place !== undefined) tangle.remove(place)
  },
  function lostAction(tangle, random) {
    const place = pickOne(tangle, random, isAction)
    if (place !== undefined) tangle.remove(place)
  },
  function deletedFile(tangle, random) {
    const place = pickOne(tangle, random, event => event.kind !== 'SystemPromptEvent')
    if (place !== undefined) tangle.events[place] = undefined
  },
  function rejectedBehindWords(tangle, random) {
    const place = pickOne(tangle, random, isAction)
    if (place === undefined) return
    tangle.cut(place)
    const { id, tool_name, tool_call_id } = tangle.at(place)
    const reason = { tool_name, tool_call_id, rejection_reason: 'Superseded by a new user message', action_id: id }
    tangle.insert(place, userWords(tangle, random))
    tangle.insert(place + 1, made(tangle, random, 'environment', reason, 'UserRejectObservation'))
    tangle.setStatus('idle')
  },
  function errorInsideBatch(tangle, random) {
    const branch = tangle.branch()
    const split = branch.findIndex((place, index) => {
      const next = branch[index + 1]
      if (next === undefined || !isAction(tangle.at(place)) || !isAction(tangle.at(next))) return false
      return tangle.at(place).llm_response_id === tangle.at(next).llm_response_id
    })
    const place = branch[split]
    if (place === undefined) return
    const call = tangle.at(place).tool_call_id
    const result = placesOf(tangle, event => isResult(event) && event.tool_call_id === call)[0]
    const answer = result === undefined ? restartError(tangle, random, tangle.at(place)) : tangle.remove(result)
    tangle.insert(place, answer)
  },
  function emptyTail(tangle, random) {
    const path = `events/event-${String(tangle.events.length).padStart(5, '0')}-${eventId(random)}.json`
    tangle.others.set(path, Buffer.from(random.chance(0.5) ? '' : '{"id":"00000000-cut","timest'))
  },
  function numberTwice(tangle, random) {
    const place = pickOne(tangle, random, event => isUser(event) || isResult(event))
    if (place === undefined) return
    const event = userWords(tangle, random).replace('"parent_id":"-"', `"parent_id":"${tangle.at(place).id}"`)
    const { id } = JSON.parse(event) as Event
    tangle.others.set(`events/event-${String(place).padStart(5, '0')}-${id}.json`, Buffer.from(event))
  },
  function lostParent(tangle, random) {
    const place = pickOne(tangle, random, event => event.parent_id !== undefined)
    if (place !== undefined) tangle.setParent(place, eventId(random))
  },
  function lostHead(tangle, random) {
    if (tangle.isTree) tangle.setHead(eventId(random))
  },
  function laggingHead(tangle, random) {
    const place = pickOne(tangle, random, isUser)
    if (!tangle.isTree || place === undefined) return
    tangle.setHead(tangle.at(place).id)
    tangle.setStatus('running')
  },
  function errorBesideAction(tangle, random) {
    const place = pickOne(tangle, random, isAction)
    if (!tangle.isTree || place === undefined) return
    tangle.cut(place)
    const action = tangle.at(place)
    tangle.insert(place, restartError(tangle, random, action))
    tangle.setParent(place + 1, action.parent_id as string)
    tangle.setStatus('error')
  },
  function halfForgotten(tangle, random) {
    const place = pickOne(tangle, random, event => isAction(event) || isResult(event))
    const last = tangle.branch().at(-1)
    if (place === undefined || last === undefined || isAction(tangle.at(last))) return
    const fields = { forgotten_event_ids: [tangle.at(place).id], llm_response_id: random.id('resp_') }
    tangle.insert(last, made(tangle, random, 'environment', fields, 'Condensation'))
  },
  function reusedCallId(tangle, random) {
    const actions = placesOf(tangle, isAction)
    if (actions.length < 2) return
    const [first, second] = random.shuffle(actions)
    const id = tangle.at(second as number).tool_call_id as string
    const other = tangle.at(first as number).tool_call_id as string
    if (tangle.at(first as number).llm_response_id === tangle.at(second as number).llm_response_id) return
    tangle.events = tangle.events.map(event => event?.replaceAll(`"${id}"`, `"${other}"`))
  },
  function wrongActionId(tangle, random) {
    const place = pickOne(tangle, random, event => event.action_id !== undefined)
    if (place === undefined) return
    tangle.events[place] = tangle.events[place]?.replace(/"action_id":"[^"]*"/, `"action_id":"${eventId(random)}"`)
  },
]
