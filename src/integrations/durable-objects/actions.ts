import { AntiphonError } from '../../core/errors.ts'
import { findCall } from '../../journal/agents/agent-questions.ts'
import type { Thread } from '../../journal/thread.ts'
import type { SubmitOptions } from '../../journal/thread-options.ts'

/** What a client may do to a thread, with a request or on a WebSocket. */
const actions: Readonly<Record<string, (thread: Thread, body: Body) => Promise<unknown>>> = {
  input: (thread, { content, key, whenBusy, whenApproving }) =>
    thread.submit(content, {
      ...optional('key', textOf('key', key)),
      ...optional('whenBusy', oneOf('whenBusy', whenBusy, ['queue', 'steer', 'interrupt', 'reject'])),
      ...optional('whenApproving', oneOf('whenApproving', whenApproving, ['queue', 'deny'])),
    } as SubmitOptions),
  interrupt: (thread, { reason }) => thread.interrupt(textOf('reason', reason)),
  approve: (thread, { call, reason, input }) =>
    thread.approve(callOf(call), { ...optional('reason', textOf('reason', reason)), ...optional('input', input) }),
  deny: (thread, { call, reason }) => thread.deny(callOf(call), textOf('reason', reason)),
  settle: async (thread, { call, output, error }) => {
    await assertOutside(thread, callOf(call))
    return thread.settle(callOf(call), output ?? null, { error: error === true })
  },
}

type Body = Readonly<Record<string, unknown>>

/** Does what a client asks for. Throws if it is not one of the actions, or its fields have wrong types. */
export function act(thread: Thread, action: string, body: unknown): Promise<unknown> {
  const perform = Object.hasOwn(actions, action) ? actions[action] : undefined
  if (!perform)
    throw new AntiphonError('unknown-request', `unknown action ${JSON.stringify(action)}`, {
      hint: `use one of: ${actionNames.join(', ')}`,
    })
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw badRequest('the body must be a JSON object', 'send the fields of the action as a JSON object')
  return perform(thread, body as Body)
}

/** A client has the results of its own tools only: for a call that runs here, or waits for an approval, it could make one up. */
async function assertOutside(thread: Thread, id: string): Promise<void> {
  const found = await findCall(thread, id)
  if (!found || found.call.parked?.why === 'outside') return
  throw new AntiphonError(
    'nothing-waiting',
    `call ${id} (${found.call.name}) does not wait for a result from outside`,
    {
      hint: 'settle only calls whose `parked` in GET .../status has `why: "outside"`',
      call: id,
    },
  )
}

export const actionNames: readonly string[] = Object.keys(actions)

export const badRequest = (message: string, hint: string): AntiphonError =>
  new AntiphonError('bad-request', message, { hint })

const optional = (name: string, value: unknown): object => (value === undefined ? {} : { [name]: value })

function textOf(field: string, value: unknown): string | undefined {
  if (value === undefined || typeof value === 'string') return value
  throw badRequest(`${field} must be a string`, `send ${field} as a JSON string`)
}

function oneOf(field: string, value: unknown, known: readonly string[]): string | undefined {
  if (value === undefined || known.includes(value as string)) return value as string | undefined
  throw badRequest(`${field} must be one of: ${known.join(', ')}`, `send one of these, or leave ${field} out`)
}

function callOf(value: unknown): string {
  const call = textOf('call', value)
  if (call !== undefined) return call
  throw badRequest('call is missing', 'send the id of the call, which GET .../status lists')
}
