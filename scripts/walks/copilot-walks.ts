import type { CopilotPerson, CopilotView } from './copilot-person.ts'
import { isStory, type Model } from './model.ts'

/** What a person does until a state is reached, and from there on. */
export interface CopilotWalk {
  readonly name: string
  readonly state: string
  reach(person: CopilotPerson, model: Model): Promise<unknown>
  finish(person: CopilotPerson): Promise<unknown>
}

const story = 'Tell me a story'
const other = 'Tell me another'

/** A story is known by what was asked for. */
const shows =
  (...expected: (string | { readonly story: string })[]) =>
  ({ texts, isRunning }: CopilotView): boolean =>
    !isRunning &&
    texts.length === expected.length &&
    expected.every((one, index) => {
      const text = texts[index] ?? ''
      return typeof one === 'string' ? text === one : isStory(text, one.story)
    })

const begins = ({ texts, isRunning }: CopilotView): boolean =>
  isRunning && /once upon a time and it/.test(texts.at(-1) ?? '')

async function goOn(person: CopilotPerson, ...before: (string | { readonly story: string })[]): Promise<void> {
  await person.say(other)
  await person.sees('another story', shows(...before, other, { story: other }))
}

async function question(person: CopilotPerson): Promise<void> {
  await person.say('Pay for it')
  await person.sees('the question', ({ question, isRunning }) => question === 'May pay run?' && !isRunning)
}

const isAsked = ({ question }: CopilotView): boolean => question === 'May pay run?'

export const copilotWalks: readonly CopilotWalk[] = [
  {
    ...{ name: 'send', state: 'answered' },
    async reach(person) {
      await person.say(story)
      await person.sees('the story', shows(story, { story }))
    },
    async finish(person) {
      await person.sees('the story', shows(story, { story }))
      await goOn(person, story, { story })
    },
  },
  {
    ...{ name: 'send', state: 'answering' },
    async reach(person, model) {
      model.isSlow = true
      await person.say(story)
      await person.sees('the beginning', begins)
    },
    async finish(person) {
      await person.sees('the story', shows(story, { story }))
      await goOn(person, story, { story })
    },
  },
  {
    ...{ name: 'a tool of the page', state: 'its result sent' },
    async reach(person) {
      await person.say('Paint it red')
      await person.sees('the color', view => view.color === 'red')
      await person.sees('the answer', shows('Paint it red', 'I paint.', 'Done: painted red'))
    },
    async finish(person) {
      await person.sees('the answer', shows('Paint it red', 'I paint.', 'Done: painted red'))
      await goOn(person, 'Paint it red', 'I paint.', 'Done: painted red')
    },
  },
  {
    // The turn waits for a result that does not come. The next message ends it.
    ...{ name: 'a tool of the page', state: 'its result lost' },
    async reach(person) {
      await person.loseResults()
      await person.say('Paint it red')
      await person.sees('the color', view => view.color === 'red' && !view.isRunning)
    },
    async finish(person) {
      await person.reconnect()
      await person.say(other)
      await person.sees('another story', ({ texts, isRunning }) => !isRunning && isStory(texts.at(-1) ?? '', other))
    },
  },
  {
    ...{ name: 'approve', state: 'asked' },
    reach: question,
    async finish(person) {
      await person.sees('the question', isAsked)
      await person.press('Approve')
      await person.sees('the result', shows('Pay for it', 'May I?', 'Done: paid 100 EUR'))
      await goOn(person, 'Pay for it', 'May I?', 'Done: paid 100 EUR')
    },
  },
  {
    ...{ name: 'deny', state: 'asked' },
    reach: question,
    async finish(person) {
      await person.sees('the question', isAsked)
      await person.press('Deny')
      await person.sees('that it was denied', ({ texts }) => /^Done: .*denied/.test(texts.at(-1) ?? ''))
    },
  },
  {
    // The client sends nothing while a question is open: the message goes with the answer.
    ...{ name: 'say something, then deny', state: 'asked' },
    reach: question,
    async finish(person) {
      await person.sees('the question', isAsked)
      await person.say(other)
      await person.press('Deny')
      await person.sees('another story', shows('Pay for it', 'May I?', other, { story: other }))
    },
  },
  {
    ...{ name: 'stop', state: 'stopped' },
    async reach(person, model) {
      model.isSlow = true
      await person.say(story)
      await person.sees('the beginning', begins)
      await person.stop()
      await person.sees('the end', ({ isRunning }) => !isRunning)
    },
    async finish(person) {
      const { texts } = await person.sees('the beginning', ({ texts }) => texts.length === 2)
      if (isStory(texts[1] ?? '', story)) throw new Error('it was not stopped')
      await goOn(person, story, texts[1] ?? '')
    },
  },
]
