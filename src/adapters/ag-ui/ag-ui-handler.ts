import type { Event, RunAgentInput } from '@ag-ui/core'
import { AGUI_MEDIA_TYPE, EventEncoder } from '@ag-ui/encoder'
import type { Journal } from '../../broker/journal.ts'
import { AntiphonError } from '../../errors.ts'
import { tell, warn } from '../../fetch/tell.ts'
import type { AgUiOptions } from './handler-options.ts'
import { LiveThreads } from './live-threads.ts'
import { readInput } from './read-input.ts'
import { runStream } from './run-stream.ts'

/**
 * A handler of web requests that speaks the AG-UI protocol: each POST is a run on a thread of the journal. The journal is
 * what counts: of what the client sends as history only what is new is taken, and the client is told what it has wrong.
 */
export function agUiHandler(journal: Journal, options: AgUiOptions): (request: Request) => Promise<Response> {
  const threads = new LiveThreads()
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
      return respond(request, { journal, name, input, options, threads })
    } catch (error) {
      tell(options.onError ?? warn, error)
      return refusal(500, 'The run failed.')
    }
  }
}

const ownName = ({ threadId }: RunAgentInput): string => threadId

const refusal = (status: number, message: string, headers: Record<string, string> = {}): Response =>
  Response.json({ error: { message } }, { status, headers })

interface Asked {
  readonly journal: Journal
  readonly name: string
  readonly input: RunAgentInput
  readonly options: AgUiOptions
  readonly threads: LiveThreads
}

function respond(request: Request, asked: Asked): Response {
  const { options } = asked
  const encoder = encoderFor(request.headers.get('accept'))
  const contentType = encoder.getContentType()
  const gone = new AbortController()
  const leave = (): void => {
    if (options.whenGone !== 'continue') gone.abort(new Error('the client went away'))
  }
  if (request.signal.aborted) leave()
  request.signal.addEventListener('abort', leave, { once: true })
  let isOpen = true
  const body = new ReadableStream<Uint8Array>({
    async start(controller) {
      const write = (bytes: Uint8Array): void => {
        if (isOpen) controller.enqueue(bytes)
      }
      const isText = contentType === 'text/event-stream'
      const keepAlive = isText ? setInterval(() => write(comment), options.keepAliveMs ?? 15_000) : undefined
      // A client that gets one event less is told everything again by the next snapshot.
      const send = (event: Event): void => {
        try {
          write(encoder.encodeBinary(event))
        } catch (error) {
          tell(options.onError ?? warn, error)
        }
      }
      void runStream({ ...asked, gone: gone.signal, send }).finally(() => {
        clearInterval(keepAlive)
        request.signal.removeEventListener('abort', leave)
        if (isOpen) controller.close()
        isOpen = false
      })
    },
    cancel() {
      isOpen = false
      leave()
    },
  })
  return new Response(body, { headers: { ...headers, 'content-type': contentType } })
}

/** Nothing on the way may keep it, change it, or wait for more of it. */
const headers = { 'cache-control': 'no-cache, no-transform', 'x-accel-buffering': 'no' }

/** Bytes only for those who name them: whoever takes anything gets text, which anybody can read. */
const encoderFor = (accept: string | null): EventEncoder =>
  new EventEncoder(accept?.includes(AGUI_MEDIA_TYPE) ? { accept } : {})

const comment = new TextEncoder().encode(': keep-alive\n\n')
