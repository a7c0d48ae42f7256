import { isStory, type Model } from './model.ts'
import type { Person, Shown } from './person.ts'
import type { Site } from './site.ts'

/** What a person does until a state is reached, and from there on. Between the two something happens to the page or the server. */
export interface Walk {
  readonly name: string
  readonly state: string
  /** Something streams in this state, so a page whose server is killed shows an error and a way to try again. */
  readonly isBusy: boolean
  /** How often tools run, at least and at most if the server is killed. */
  readonly effects?: readonly [number, number]
  reach(person: Person, model: Model, site: Site): Promise<unknown>
  finish(person: Person, model: Model): Promise<unknown>
}

const first = 'Tell me a story'
const second = 'Tell me another'

const begins = (shown: readonly Shown[], status: string): boolean =>
  status === 'streaming' && /once upon a time and it/.test(shown.at(-1)?.text ?? '')

/** Whether these are the texts of the chat; of a story it is known what was asked for. */
const matches = (shown: readonly Shown[], expected: readonly (string | { readonly story: string })[]): boolean =>
  shown.length === expected.length &&
  expected.every((one, index) =>
    typeof one === 'string' ? shown[index].text === one : isStory(shown[index].text, one.story),
  )

const seesStories = (person: Person, ...expected: (string | { readonly story: string })[]) =>
  person.sees(JSON.stringify(expected), (shown, status) => status === 'ready' && matches(shown, expected))

async function hearStory(person: Person): Promise<void> {
  await person.say(first)
  await seesStories(person, first, { story: first })
}

async function stopInTheMiddle(person: Person, model: Model): Promise<void> {
  model.isSlow = true
  await person.say(first)
  await person.sees('the beginning', begins)
  await person.press('Stop')
  await person.sees('the end of the answer', (_, status) => status === 'ready')
}

async function question(person: Person): Promise<void> {
  await person.say('Pay for it')
  await person.sees(
    'the question',
    (shown, status) => status === 'ready' && shown.at(-1)?.tools[0] === 'pay approval-requested',
  )
}

/** Goes to the version before and back again. */
async function pageThrough(person: Person, index: number): Promise<void> {
  const before = await person.sees('the second version', shown => shown[index]?.version === '2/2')
  await person.press('Previous')
  const earlier = await person.sees('the first version', shown => shown[index]?.version === '1/2')
  if (JSON.stringify(earlier.map(({ text }) => text)) === JSON.stringify(before.map(({ text }) => text)))
    throw new Error('the first version is the same as the second')
  await person.press('Next')
  await person.sees('the second version again', shown => shown[index]?.version === '2/2')
}

export const walks: readonly Walk[] = [
  {
    ...{ name: 'send', state: 'answering', isBusy: true },
    async reach(person, model) {
      model.isSlow = true
      await person.say(first)
      await person.sees('the beginning', begins)
    },
    finish: person => seesStories(person, first, { story: first }),
  },
  {
    ...{ name: 'use a tool', state: 'tool running', isBusy: true, effects: [1, 2] },
    async reach(person) {
      await person.say('Find a flight')
      await person.sees('the call', shown => shown.at(-1)?.tools[0] === 'search input-available')
    },
    finish: person =>
      person.sees(
        'the result',
        (shown, status) => status === 'ready' && /Done: .*TP 1351/.test(shown.at(-1)?.text ?? ''),
      ),
  },
  {
    ...{ name: 'approve with other arguments', state: 'waiting for the approval', isBusy: false, effects: [1, 1] },
    reach: question,
    async finish(person) {
      await person.changeInput('{"eur":90}')
      await person.press('Approve')
      await person.sees(
        'the result',
        (shown, status) => status === 'ready' && /Done: .*paid 90 EUR/.test(shown.at(-1)?.text ?? ''),
      )
    },
  },
  {
    ...{ name: 'approve with other arguments', state: 'approved, tool running', isBusy: true, effects: [1, 1] },
    async reach(person, _, site) {
      const before = site.effectCount
      await question(person)
      await person.changeInput('{"eur":90}')
      await person.press('Approve')
      await person.sees('that it runs', () => site.effectCount > before)
    },
    // After a crash it is not known whether it was paid, and the model is told so.
    finish: person =>
      person.sees(
        'the result',
        (shown, status) => status === 'ready' && /Done: .*(paid 90 EUR|not known)/.test(shown.at(-1)?.text ?? ''),
      ),
  },
  {
    ...{ name: 'deny', state: 'waiting for the approval', isBusy: false },
    reach: question,
    async finish(person) {
      await person.press('Deny')
      await person.sees(
        'that it was denied',
        (shown, status) => status === 'ready' && /Done: .*denied/.test(shown.at(-1)?.text ?? ''),
      )
    },
  },
  {
    ...{ name: 'edit', state: 'answering the edited message', isBusy: true },
    async reach(person, model) {
      await hearStory(person)
      model.isSlow = true
      await person.press('Edit')
      await person.say(second)
      await person.sees('the beginning', (shown, status) => shown[0]?.text === second && begins(shown, status))
    },
    async finish(person) {
      await seesStories(person, second, { story: second })
      await pageThrough(person, 0)
      await seesStories(person, second, { story: second })
    },
  },
  {
    ...{ name: 'regenerate', state: 'answering again', isBusy: true },
    async reach(person, model) {
      await hearStory(person)
      model.isSlow = true
      await person.press('Regenerate')
      await person.sees('the beginning', begins)
    },
    async finish(person) {
      await seesStories(person, first, { story: first })
      await pageThrough(person, 1)
      await seesStories(person, first, { story: first })
    },
  },
  {
    ...{ name: 'page through answers', state: 'at an earlier answer', isBusy: false },
    async reach(person) {
      await hearStory(person)
      const [, { text }] = await person.shown()
      await person.press('Regenerate')
      await person.sees(
        'another story',
        (shown, status) => status === 'ready' && isStory(shown[1]?.text ?? '', first) && shown[1].text !== text,
      )
      await person.sees('its version', shown => shown[1]?.version === '2/2')
      await person.press('Previous')
      await person.sees('the first story', shown => shown[1]?.version === '1/2' && shown[1].text === text)
    },
    async finish(person) {
      const [, { text }] = await person.sees('the first version', shown => shown[1]?.version === '1/2')
      await person.say(second)
      await seesStories(person, first, text, second, { story: second })
    },
  },
  {
    ...{ name: 'stop', state: 'stopped', isBusy: false },
    reach: stopInTheMiddle,
    async finish(person, model) {
      model.isSlow = false
      const [, { text }] = await person.sees('the beginning', shown => shown.length === 2)
      if (!/^Story \d+ .*: once upon/.test(text) || isStory(text, first)) throw new Error(`it was not stopped: ${text}`)
      await person.say(second)
      await seesStories(person, first, text, second, { story: second })
    },
  },
  {
    ...{ name: 'stop a tool', state: 'stopped', isBusy: false, effects: [1, 1] },
    async reach(person, _, site) {
      const before = site.effectCount
      await person.say('Find a flight')
      await person.sees('that it runs', (_, status) => status === 'streaming' && site.effectCount > before)
      await person.press('Stop')
      await person.sees('the end of the answer', (_, status) => status === 'ready')
    },
    async finish(person) {
      await person.say(second)
      await seesStories(person, 'Find a flight', 'I look.', second, { story: second })
    },
  },
  {
    ...{ name: 'stop and regenerate', state: 'answering again', isBusy: true },
    async reach(person, model) {
      await stopInTheMiddle(person, model)
      await person.press('Regenerate')
      await person.sees('the beginning', begins)
    },
    finish: person => seesStories(person, first, { story: first }),
  },
  {
    ...{ name: 'edit in the middle of an answer', state: 'answering the edited message', isBusy: true },
    async reach(person, model) {
      model.isSlow = true
      await person.say(first)
      await person.sees('the beginning', begins)
      await person.press('Edit')
      await person.say(second)
      await person.sees('the beginning', (shown, status) => shown[0]?.text === second && begins(shown, status))
    },
    finish: person => seesStories(person, second, { story: second }),
  },
]
