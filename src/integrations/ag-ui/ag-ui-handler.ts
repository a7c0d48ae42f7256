import type { RunAgentInput } from '@ag-ui/core'
import { assertAmounts } from '../../core/assert-options.ts'
import { AntiphonError } from '../../core/errors.ts'
import { warn } from '../../heal/warn.ts'
import { parentOf } from '../../journal/agents/child-name.ts'
import type { Journal } from '../../journal/journal.ts'
import { notify } from '../fetch/notify.ts'
import { crossSiteHint, crossSiteText, isCrossSiteForm } from '../is-cross-site-form.ts'
import type { AgUiOptions } from './handler-options.ts'
import { readRunInput } from './read-input.ts'
import { respond } from './respond.ts'

/**
 * A request handler for the AG-UI protocol: each POST is a run on a thread of the journal. The journal is the source of truth: of the
 * history that a client sends, only new messages are used, and a snapshot corrects the client if its history differs.
 */
export function agUiHandler(journal: Journal, options: AgUiOptions): (request: Request) => Promise<Response> {
  const { keepAliveMs, unreadMs, unreadBytes } = options
  assertAmounts({ keepAliveMs, unreadMs, unreadBytes })
  const fail = (error: unknown): void => notify(options.onError ?? warn, error)
  return async request => {
    if (request.method !== 'POST') return errorResponse(405, 'POST the input of a run', { allow: 'POST' })
    if (isCrossSiteForm(request)) return errorResponse(415, `${crossSiteText}: ${crossSiteHint}`)
    let input: RunAgentInput
    try {
      input = readRunInput(await request.json())
    } catch (error) {
      return errorResponse(400, AntiphonError.is(error) ? error.message : 'the body is not JSON')
    }
    try {
      const name = await (options.threadFor ?? threadIdOf)(input, request)
      // An agent speaks with the thread that called it, and not with a client.
      if (!name || parentOf(name)) return errorResponse(403, 'no access to this thread')
      return await respond(request, { journal, name, input, options })
    } catch (error) {
      fail(error)
      return errorResponse(500, 'The run failed.')
    }
  }
}

const threadIdOf = ({ threadId }: RunAgentInput): string => threadId

const errorResponse = (status: number, message: string, headers: Record<string, string> = {}): Response =>
  Response.json({ error: { message } }, { status, headers })
