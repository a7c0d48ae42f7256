import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createOpenAI } from '@ai-sdk/openai'
import { DownloadError, streamText } from 'ai'
import { streamText as streamText6 } from 'ai-6'
import { createOpenAI as createOpenAI3 } from 'ai-sdk-openai-3'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { ChatModelRequest } from '../../../src/integrations/ai-sdk/chat-options.ts'
import type { ChatTools } from '../../../src/integrations/ai-sdk/chat-tools.ts'
import { chatHandler, loadUIMessages } from '../../../src/integrations/ai-sdk/index.ts'
import { type Journal, openJournal } from '../../../src/journal/index.ts'
import { type Strict, startStrict } from '../../../src/strict/index.ts'

type Request7 = ChatModelRequest<ChatTools>

let strict: Strict
let journal: Journal
let files: Server
let url: string

beforeEach(async () => {
  globalThis.AI_SDK_LOG_WARNINGS = false
  strict = await startStrict({ script: ['One.', 'Two.', 'Three.', 'Four.'] })
  journal = await openJournal('memory:')
  files = createServer(({ url: path }, response) => {
    response.writeHead(path?.startsWith('/there') ? 200 : 404, { 'content-type': 'image/png' }).end('\x89PNG\r\n\x1a\n')
  })
  await new Promise<void>(resolve => files.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(files.address() as AddressInfo).port}`
})

afterEach(async () => {
  await journal.close()
  await strict.close()
  await new Promise(resolve => files.close(resolve))
})

/** The library writes errors to the console unless somebody hears them. */
const onError = (): void => {}

const settings = () => ({ baseURL: `${strict.url}/v1`, apiKey: 'any' })

/** Fetches for the library, which has a guard against addresses of this machine. */
async function download(asked: readonly { url: URL; isUrlSupportedByModel: boolean }[]) {
  return Promise.all(
    asked.map(async ({ url }) => {
      const answer = await fetch(url)
      const { status: statusCode, statusText } = answer
      if (!answer.ok) throw new DownloadError({ url: String(url), statusCode, statusText })
      return { data: new Uint8Array(await answer.arrayBuffer()), mediaType: 'image/png' }
    }),
  )
}

/** A provider that fetches images itself, and answers as OpenAI does if it cannot. */
function fetching(words: (url: string) => string): typeof fetch {
  return async (input, init) => {
    const { messages } = JSON.parse(String(init?.body)) as { messages: { content: unknown }[] }
    const parts = messages.flatMap(({ content }) => (Array.isArray(content) ? content : []))
    for (const { image_url: image } of parts) {
      if (!image || (await fetch(image.url)).ok) continue
      const error = { message: words(image.url), type: 'invalid_request_error', param: null, code: 'invalid_image_url' }
      return Response.json({ error }, { status: 400 })
    }
    return fetch(input, init)
  }
}

const models: Record<string, (request: Request7) => unknown> = {
  'ai 7 fetches it, and its guard refuses': ({ messages, signal }) =>
    streamText({ model: createOpenAI(settings()).chat('gpt-5'), messages, abortSignal: signal, onError }),
  'ai 6 fetches it, and its guard refuses': ({ messages, signal }) =>
    streamText6({ model: createOpenAI3(settings()).chat('gpt-5'), messages, abortSignal: signal, onError }),
  'a function of the caller fetches it, and gets a 404': ({ messages, signal }) =>
    streamText({
      ...{ model: createOpenAI(settings()).chat('gpt-5'), messages, abortSignal: signal, onError },
      experimental_download: download,
    }),
}

const text = (words: string) => ({ type: 'text', text: words })
const file = (path: string, mediaType = 'application/pdf') => ({
  ...{ type: 'file', mediaType, filename: 'plan', url: `${url}${path}` },
})

async function say(handler: ReturnType<typeof chatHandler>, id: string, ...parts: object[]): Promise<string> {
  const body = JSON.stringify({ id: 'c1', message: { id, role: 'user', parts } })
  return (await handler(new Request('http://site/api/chat', { method: 'POST', body }))).text()
}

const lastPrompt = (): string => JSON.stringify(strict.requests.at(-1)?.body)

describe('[AI32] a file that cannot be fetched fails its own message, and the chat continues', () => {
  test.each(Object.entries(models))('%s', async (_, model) => {
    const heard = vi.fn()
    const handler = chatHandler(journal, { model, onError: heard })
    const parts = [text('Read this.'), file('/gone.pdf')]
    expect(await say(handler, 'm1', ...parts)).toContain('"type":"error"')
    expect(heard).toHaveBeenCalledTimes(1)
    expect(await say(handler, 'm2', text('Can you hear me?'))).toContain('One.')
    expect(lastPrompt()).toContain(`[file plan at ${url}/gone.pdf could not be fetched]`)
    // Another process knows from the journal, and the user sees what was sent.
    expect(await say(chatHandler(journal, { model, onError: heard }), 'm3', text('Still?'))).toContain('Two.')
    expect((await loadUIMessages<{ parts: unknown }>(journal, 'c1'))[0].parts).toEqual(parts)
    expect(heard).toHaveBeenCalledTimes(1)
  })

  const readBy = (words: (url: string) => string) => {
    const openai = createOpenAI({ ...settings(), fetch: fetching(words) })
    return chatHandler(journal, {
      model: ({ messages, signal }) =>
        streamText({ model: openai.chat('gpt-5'), messages, abortSignal: signal, onError }),
      onError,
    })
  }

  test('the provider fetches it, and names nothing', async () => {
    const handler = readBy(() => 'Unable to download the file. Please verify the URL and try again.')
    expect(await say(handler, 'm1', text('Look.'), file('/there.png', 'image/png'))).toContain('One.')
    expect(await say(handler, 'm2', text('And this?'), file('/gone.png', 'image/png'))).toContain('"type":"error"')
    expect(await say(handler, 'm3', text('Well?'))).toContain('Two.')
    expect(lastPrompt()).toContain('gone.png could not be fetched')
    expect(lastPrompt()).toContain(`"url":"${url}/there.png"`)
  })

  test('the provider fetches it, and names it: the message is answered without it', async () => {
    const handler = readBy(url => `Timeout while downloading ${url}.`)
    expect(await say(handler, 'm1', text('Look.'), file('/there.png', 'image/png'))).toContain('One.')
    expect(await say(handler, 'm2', text('And this?'), file('/gone.png', 'image/png'))).toContain('Two.')
    expect(await say(handler, 'm3', text('Well?'))).toContain('Three.')
    expect(lastPrompt()).toContain(`[image removed: image/*, ${url}/gone.png]`)
    expect(lastPrompt()).toContain(`"url":"${url}/there.png"`)
  })

  test('a file that is sent again is tried again, and one that disappears later is reported then', async () => {
    const model = models['a function of the caller fetches it, and gets a 404']
    const handler = chatHandler(journal, { model, onError })
    let isThere = true
    files.removeAllListeners('request').on('request', (_, response) => {
      response.writeHead(isThere ? 200 : 404, { 'content-type': 'image/png' }).end('\x89PNG\r\n\x1a\n')
    })
    expect(await say(handler, 'm1', text('Look.'), file('/later.pdf'))).toContain('One.')
    isThere = false
    expect(await say(handler, 'm2', text('Again.'))).toContain('"type":"error"')
    expect(await say(handler, 'm3', text('Again.'))).toContain('Two.')
    expect(lastPrompt()).toContain('later.pdf could not be fetched')
    isThere = true
    expect(await say(handler, 'm4', text('Now it is there.'), file('/later.pdf'))).toContain('Three.')
    expect(lastPrompt()).not.toContain('could not be fetched')
  })
})

describe('[AI36] a file that cannot be used fails its own message, and the chat continues', () => {
  const data = (type: string, url: string) => ({ type: 'file', mediaType: type, filename: 'plan', url })
  test.each([
    [
      'a media type that the provider does not take',
      data('application/x-thing', 'data:application/x-thing;base64,AAAA'),
    ],
    ['a voice note', data('audio/ogg', 'data:audio/ogg;base64,AAAA')],
    ['bad base64', data('image/png', 'data:image/png;base64,@@@')],
    ['data without a comma', data('image/png', 'data:image/png')],
    ['text as data', data('*/*', 'data:,x')],
    ['a scheme that nobody fetches', data('image/png', 'javascript:alert(1)')],
  ])('%s', async (_, part) => {
    const model = models['ai 7 fetches it, and its guard refuses']
    const handler = chatHandler(journal, { model, onError })
    const whole = data('image/png', 'data:image/png;base64,iVBORw0KGgo=')
    expect(await say(handler, 'm1', text('Look.'), whole)).toContain('One.')
    expect(await say(handler, 'm2', text('And this?'), part)).toContain('"type":"error"')
    expect(await say(handler, 'm3', text('Can you hear me?'))).toContain('Two.')
    expect(lastPrompt()).toContain(`of type ${part.mediaType} could not be used]`)
    expect(lastPrompt()).toContain('iVBORw0KGgo=')
    expect(await say(chatHandler(journal, { model, onError }), 'm4', text('Still?'))).toContain('Three.')
  })

  test('a file that the provider rejects', async () => {
    const rejecting: typeof fetch = async (input, init) =>
      String(init?.body).includes('image_url')
        ? Response.json(
            {
              error: {
                message:
                  'The image data you provided does not represent a valid image. Please check your input and try again with one of the supported image formats.',
              },
            },
            { status: 400 },
          )
        : fetch(input, init)
    const openai = createOpenAI({ ...settings(), fetch: rejecting })
    const handler = chatHandler(journal, {
      model: ({ messages, signal }) =>
        streamText({ model: openai.chat('gpt-5'), messages, abortSignal: signal, onError }),
      onError,
    })
    // Its header says nothing: it is removed before sending.
    expect(await say(handler, 'm1', text('Look.'), data('image/png', 'data:image/png;base64,AAAA'))).toContain('One.')
    expect(lastPrompt()).toContain('[image removed: image/*, 3 bytes]')
  })
})
