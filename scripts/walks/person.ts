import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import type { BrowserContext, Page } from 'playwright-core'

/** A message as the page shows it. */
export interface Shown {
  readonly role: string
  readonly text: string
  /** The calls, each with its state. */
  readonly tools: readonly string[]
  /** Which version it is, such as 1/2. */
  readonly version: string
}

/** A person at a chat in a browser. */
export class Person {
  readonly #context: BrowserContext
  readonly #url: string
  #page: Page

  private constructor(context: BrowserContext, url: string, page: Page) {
    this.#context = context
    this.#url = url
    this.#page = page
  }

  static async at(url: string, context: BrowserContext): Promise<Person> {
    const page = await context.newPage()
    const person = new Person(context, url, page)
    await person.reload()
    return person
  }

  /** The same chat in a second tab. */
  anotherTab(): Promise<Person> {
    return Person.at(this.#url, this.#context)
  }

  async reload(): Promise<void> {
    await this.#page.goto(this.#url)
    await this.#page.waitForSelector('main')
  }

  async say(text: string): Promise<void> {
    await this.#page.fill('textarea', text)
    await this.press('Send')
  }

  async press(button: string): Promise<void> {
    await this.#page.getByRole('button', { name: button, exact: true }).last().click()
  }

  async changeInput(json: string): Promise<void> {
    await this.#page.fill('section input', json)
  }

  async status(): Promise<string> {
    return (await this.#page.getAttribute('main', 'data-status')) ?? ''
  }

  shown(): Promise<Shown[]> {
    return this.#page.$$eval('article', articles =>
      articles.map(article => ({
        role: article.getAttribute('data-role') ?? '',
        text: article.querySelector('p')?.textContent ?? '',
        tools: [...article.querySelectorAll('section')].map(
          section => `${section.getAttribute('data-tool')} ${section.getAttribute('data-state')}`,
        ),
        version: article.querySelector('nav span')?.textContent ?? '',
      })),
    )
  }

  /** Waits until the page shows it. */
  async sees(what: string, isIt: (shown: readonly Shown[], status: string) => boolean): Promise<readonly Shown[]> {
    for (const end = Date.now() + patienceMs; ; await sleep(100)) {
      const [shown, status] = [await this.shown(), await this.status()]
      if (isIt(shown, status)) return shown
      if (Date.now() > end)
        throw new Error(`never saw ${what}, but (${status}) ${JSON.stringify(shown).slice(0, 1_500)}`)
    }
  }

  /** Whether another tab shows the same. */
  async seesTheSame(other: Person): Promise<void> {
    const shown = await other.shown()
    await this.sees('the same as the other tab', mine => isDeepStrictEqual(mine, shown))
  }
}

const patienceMs = 60_000
