import { expect, test } from 'vitest'
import { bmp, jpeg, png } from '../../../src/core/rules/example-media.ts'
import { healRequest, type LargeImage } from '../../../src/index.ts'
import { type HealFetchOptions, healFetch, type ResizeImage } from '../../../src/integrations/fetch/index.ts'
import { startProxy } from '../../../src/integrations/proxy/index.ts'
import { startStrict } from '../../../src/strict/index.ts'

const bytes = (base64: string): Uint8Array => Uint8Array.from(Buffer.from(base64, 'base64'))

const source = (data: string, type = 'image/png') => ({
  type: 'image',
  source: { type: 'base64', media_type: type, data },
})

const ask = (...content: unknown[]) => ({
  model: 'claude-opus-4-8',
  max_tokens: 1024,
  messages: [{ role: 'user', content: [...content, { type: 'text', text: 'What is this?' }] }],
})

/** A hook that returns images of a size, and what it was asked. */
function resizer(answer: (image: LargeImage) => unknown): { asked: LargeImage[]; resize: ResizeImage } {
  const asked: LargeImage[] = []
  const resize: ResizeImage = async image => {
    asked.push(image)
    return answer(image) as Awaited<ReturnType<ResizeImage>>
  }
  return { asked, resize }
}

const within = ({ limit: { side = 1000 } }: LargeImage) => ({
  data: bytes(jpeg(side, side / 2)),
  mediaType: 'image/jpeg',
})

/** Sends a request through `healFetch` to a strict provider. */
async function send(body: object, options: Omit<HealFetchOptions, 'fetch' | 'onRepair'>, times = 1) {
  await using strict = await startStrict({ provider: 'anthropic' })
  const sent: string[] = []
  const messages: string[][] = []
  const classes = new Set<string>()
  const fetch = healFetch({
    ...options,
    fetch: (input, init) => {
      sent.push(String(init?.body))
      return globalThis.fetch(input, init)
    },
    onRepair: ({ repairs }) => {
      messages.push(repairs.map(({ rule, message }) => `${rule}: ${message}`))
      for (const one of repairs) classes.add(one.class)
    },
  })
  const statuses: number[] = []
  for (let time = 0; time < times; time++) {
    const response = await fetch(`${strict.url}/v1/messages`, { method: 'POST', body: JSON.stringify(body) })
    statuses.push(response.status)
  }
  return { statuses, sent, messages, classes: [...classes] }
}

test('[LM12] an image that is too large is resized by the caller before it is sent, and the strict provider accepts it', async () => {
  const { asked, resize } = resizer(within)
  const { statuses, sent, messages, classes } = await send(ask(source(png(12_000, 6000))), { resize })
  expect(statuses).toEqual([200])
  expect(asked).toEqual([
    {
      data: bytes(png(12_000, 6000)),
      ...{ mediaType: 'image/png', width: 12_000, height: 6000 },
      limit: { side: 8000, bytes: 7_864_320, types: ['image/png', 'image/jpeg', 'image/gif', 'image/webp'] },
    },
  ])
  expect(JSON.parse(sent[0] ?? '').messages[0].content[0]).toEqual(source(jpeg(8000, 4000), 'image/jpeg'))
  expect(messages).toEqual([['oversized-image: the image is resized to 8000x4000 px: a side is longer than 8000 px']])
  expect(classes).toEqual(['lossy'])
})

test('[LM12] many images are resized to the lower limit, each different one once, also for later requests', async () => {
  const images = Array.from({ length: 25 }, (_, index) => source(png(3000, 1000 + (index % 5))))
  const { asked, resize } = resizer(within)
  const { statuses, sent } = await send(ask(...images), { resize }, 3)
  expect(statuses).toEqual([200, 200, 200])
  expect(asked.map(({ limit }) => limit.side)).toEqual([2000, 2000, 2000, 2000, 2000])
  expect(new Set(sent).size).toBe(1)
  expect(sent[0]).not.toContain('removed')
})

test.each([
  ['nothing', () => undefined, ''],
  [
    'an image that is still too large',
    () => ({ data: bytes(png(9000, 10)), mediaType: 'image/png' }),
    '; what resize returned is not used: a side is longer than 8000 px',
  ],
  [
    'something else',
    () => ({ data: bytes(btoa('<!doctype html>')), mediaType: 'image/png' }),
    '; what resize returned is not used: it is not an image',
  ],
  [
    'an image cut off',
    () => ({ data: bytes(png(10, 10)).subarray(0, 30), mediaType: 'image/png' }),
    '; what resize returned is not used: it is cut off',
  ],
  [
    'another type than it says',
    () => ({ data: bytes(jpeg(10, 10)), mediaType: 'image/png' }),
    '; what resize returned is not used: it is declared as image/png and is image/jpeg',
  ],
  [
    'a type that the provider does not read',
    () => ({ data: bytes(bmp), mediaType: 'image/bmp' }),
    '; what resize returned is not used: the provider does not read image/bmp',
  ],
  [
    'no bytes',
    () => ({ data: jpeg(10, 10), mediaType: 'image/jpeg' }),
    '; what resize returned is not used: its data is not a Uint8Array',
  ],
  [
    'an error',
    () => {
      throw new Error('out of memory')
    },
    '; resize failed: out of memory',
  ],
])('[LM13] if resize gives %s, the image becomes a text, and the report says why', async (_, answer, why) => {
  const errors: unknown[] = []
  const { resize } = resizer(answer)
  const { statuses, sent, messages } = await send(ask(source(png(12_000, 10))), {
    resize,
    onError: error => errors.push(String(error)),
  })
  expect(statuses).toEqual([200])
  expect(sent[0]).toContain('[image removed: image/png, 12000x10 px')
  expect(messages).toEqual([[`oversized-image: the image becomes a text: a side is longer than 8000 px${why}`]])
  expect(errors).toEqual(why.includes('failed') ? ['Error: out of memory'] : [])
})

test('[LM13] resize is not called for images within the limits, nor if the change is not allowed', async () => {
  const { asked, resize } = resizer(within)
  const healthy = await send(ask(source(png(8000, 10))), { resize })
  expect(healthy.sent).toEqual([JSON.stringify(ask(source(png(8000, 10))))])
  const kept = await send(ask(source(png(8001, 10))), { resize, allow: ['lossless', 'synthetic'] })
  expect(kept.sent).toEqual([JSON.stringify(ask(source(png(8001, 10))))])
  expect(asked).toEqual([])
})

test('[LM12] after a rejection that gives a limit, images are resized to it, and so they are in the next request', async () => {
  const rejection = {
    type: 'error',
    error: {
      type: 'invalid_request_error',
      message:
        'messages.0.content.0.image.source.base64.data: At least one of the image dimensions exceed max allowed size: 4000 pixels',
    },
  }
  const { asked, resize } = resizer(within)
  const sent: string[] = []
  const fetch = healFetch({
    resize,
    onRepair() {},
    fetch: async (_, init) => {
      sent.push(String(init?.body))
      const isLarge = String(init?.body).includes(png(6000, 10))
      return Response.json(isLarge ? rejection : { type: 'message', content: [] }, { status: isLarge ? 400 : 200 })
    },
  })
  for (let turn = 0; turn < 2; turn++) {
    const body = JSON.stringify(ask(source(png(6000, 10))))
    const response = await fetch('https://api.anthropic.com/v1/messages', { method: 'POST', body })
    expect(response.status).toBe(200)
  }
  expect(asked.map(({ limit }) => limit)).toEqual([{ side: 4000 }])
  expect(sent.map(body => body.includes(jpeg(4000, 2000)))).toEqual([false, true, true])
})

test('[LM14] the form in which a request holds an image stays: a data: URI, base64, bytes', () => {
  const resize = () => ({ data: bytes(jpeg(100, 50)), mediaType: 'image/jpeg' })
  const { body: gateway } = healRequest(
    {
      model: 'claude-opus-4-8',
      messages: [
        {
          role: 'user',
          content: [{ type: 'image_url', image_url: { url: `data:image/png;base64,${png(9000, 9)}`, detail: 'low' } }],
        },
      ],
    },
    { for: 'anthropic', format: 'openai-chat', resize },
  )
  expect(gateway.messages[0]?.content[0]).toEqual({
    type: 'image_url',
    image_url: { url: `data:image/jpeg;base64,${jpeg(100, 50)}`, detail: 'low' },
  })
  const converse = (image: unknown) => ({
    modelId: 'anthropic.claude-opus-4-5',
    messages: [{ role: 'user', content: [{ image: { format: 'png', source: { bytes: image } } }, { text: 'Hm' }] }],
  })
  for (const [image, after] of [
    [bytes(png(9000, 9)), bytes(jpeg(100, 50))],
    [png(9000, 9), jpeg(100, 50)],
  ]) {
    const { body } = healRequest(converse(image), { for: 'bedrock', resize })
    expect(body.messages[0]?.content[0]).toEqual({ image: { format: 'jpeg', source: { bytes: after } } })
  }
})

test('[LM12] an abort while an image is being resized ends the request', async () => {
  const abort = new AbortController()
  const fetch = healFetch({
    onRepair() {},
    resize: () => {
      abort.abort()
      return new Promise(() => {})
    },
    fetch: async (_, init) => {
      init?.signal?.throwIfAborted()
      return new Response('{}')
    },
  })
  const body = JSON.stringify(ask(source(png(9000, 9))))
  await expect(
    fetch('https://api.anthropic.com/v1/messages', { method: 'POST', body, signal: abort.signal }),
  ).rejects.toThrow(/abort/i)
})

test('[LM12] the proxy resizes images in short requests and in long ones, which a worker repairs', async () => {
  await using strict = await startStrict({ provider: 'anthropic' })
  const { asked, resize } = resizer(image => {
    if (image.height === 7) throw new Error('too hard')
    return within(image)
  })
  const errors: unknown[] = []
  await using proxy = await startProxy({
    ...{ to: strict.url, port: 0, resize },
    onRepair() {},
    onError: error => errors.push(String(error)),
  })
  const long = { type: 'text', text: 'word '.repeat(80_000) }
  for (const content of [[], [long]]) {
    const body = JSON.stringify(ask(source(png(9000, 9)), source(png(9000, 7)), ...content))
    const response = await fetch(`${proxy.url}/v1/messages`, { method: 'POST', body })
    expect(response.status).toBe(200)
    expect(response.headers.get('x-antiphon-repairs')).toBe('oversized-image=2')
  }
  const shown = strict.requests.map(({ body }) => JSON.stringify(body))
  for (const body of shown) {
    expect(body).toContain(jpeg(8000, 4000))
    expect(body).toContain('[image removed: image/png, 9000x7 px')
  }
  expect(shown.length).toBe(2)
  // The image that could be made is remembered, the other is tried again.
  expect(asked.map(({ height }) => height).sort()).toEqual([7, 7, 9])
  expect(errors).toEqual(['Error: too hard', 'Error: too hard'])
})
