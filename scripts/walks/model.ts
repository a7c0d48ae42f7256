import { type Strict, startStrict } from '../../src/strict/index.ts'

/** The model of the walks: it tells stories, looks for flights and pays, and can be told to speak slowly. */
export interface Model extends AsyncDisposable {
  readonly url: string
  /** Slowly, so that there is time to do something in the middle of an answer. */
  isSlow: boolean
  /** Requests that were rejected. */
  readonly rejections: string[]
}

export async function startModel(): Promise<Model> {
  let told = 0
  const rejections: string[] = []
  const strict: Strict = await startStrict({
    script({ lastUser = '', turnResults }) {
      if (lastUser.startsWith('Tell'))
        return { text: storyOf(++told, lastUser), ...(model.isSlow ? { fail: 'slow:300' as const } : {}) }
      const result = turnResults.at(-1)?.text
      if (result !== undefined) return `Done: ${result}`
      if (lastUser.startsWith('Find')) return { text: 'I look.', calls: [{ name: 'search', input: { to: 'Lisbon' } }] }
      if (lastUser.startsWith('Paint')) return { text: 'I paint.', calls: [{ name: 'paint', input: { color: 'red' } }] }
      return { text: 'May I?', calls: [{ name: 'pay', input: { eur: 100 } }] }
    },
    onRequest({ verdict }) {
      if (verdict !== 'accepted') rejections.push(verdict.message)
    },
  })
  const model: Model = {
    ...{ url: `${strict.url}/v1`, isSlow: false, rejections },
    [Symbol.asyncDispose]: () => strict.close(),
  }
  return model
}

const words = 'and it went on, '.repeat(40)

export const storyOf = (number: number, asked: string): string =>
  `Story ${number} (${asked}): once upon a time ${words}to the end.`

/** Whether this is a whole story for this text, once. */
export const isStory = (text: string, asked: string): boolean => {
  const [, number = ''] = /^Story (\d+) /.exec(text) ?? []
  return text === storyOf(Number(number), asked)
}
