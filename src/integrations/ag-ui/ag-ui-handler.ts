import type { RunAgentInput } from '@ag-ui/core'
import { AntiphonError } from '../../core/errors.ts'
import { warn } from '../../heal/warn.ts'
import type { Journal } from '../../journal/journal.ts'
import { notify } from '../fetch/notify.ts'
import { loadWithPackages } from '../load-with-packages.ts'
import type { AgUiOptions } from './handler-options.ts'
import { LiveThreads } from './live-threads.ts'
import { readInput } from './read-input.ts'

/**
 * A handler of web requests that speaks the AG-UI protocol: each POST is a run on a thread of the journal. The journal is
 * what counts: of what the client sends as history only what is new is taken, and the client is told what it has wrong.
 */
export function agUiHandler(journal: Journal, options: AgUiOptions): (request: Request) => Promise<Response> {
  const threads = new LiveThreads()
  const fail = (error: unknown): void => notify(options.onError ?? warn, error)
  const loading = loadRespond()
  // Whoever has not installed the packages hears of it at once, not with the first request.
  loading.catch(fail)
  return async request => {
    if (request.method !== 'POST') return refusal(405, 'POST the input of a run', { allow: 'POST' })
    let input: RunAgentInput
    try {
      input = readInput(await request.json())
    } catch (error) {
      return refusal(400, AntiphonError.is(error) ? error.message : 'the body is not JSON')
    }
    try {
      const name = await (options.threadFor ?? ownName)(input, request)
      if (!name) return refusal(403, 'this thread is not yours')
      const { respond } = await loading
      return respond(request, { journal, name, input, options, threads })
    } catch (error) {
      fail(error)
      return refusal(500, 'The run failed.')
    }
  }
}

const loadRespond = () =>
  loadWithPackages('agUiHandler', ['@ag-ui/core', '@ag-ui/encoder'], () => import('./respond.ts'))

const ownName = ({ threadId }: RunAgentInput): string => threadId

const refusal = (status: number, message: string, headers: Record<string, string> = {}): Response =>
  Response.json({ error: { message } }, { status, headers })
