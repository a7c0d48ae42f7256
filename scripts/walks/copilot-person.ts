import { setTimeout as sleep } from 'node:timers/promises'
import type { BrowserContext, Page } from 'playwright-core'

/** What the chat of CopilotKit shows. */
export interface CopilotView {
  readonly texts: readonly string[]
  readonly isRunning: boolean
  /** The question of an interrupt. */
  readonly question: string
  readonly color: string
}

/** A person at a chat of CopilotKit in a browser. */
export class CopilotPerson {
  readonly #context: BrowserContext
  readonly #url: string
  readonly #page: Page

  private constructor(context: BrowserContext, url: string, page: Page) {
    this.#context = context
    this.#url = url
    this.#page = page
  }

  static async at(url: string, context: BrowserContext): Promise<CopilotPerson> {
    const page = await context.newPage()
    const person = new CopilotPerson(context, url, page)
    await person.reload()
    return person
  }

  anotherTab(): Promise<CopilotPerson> {
    return CopilotPerson.at(this.#url, this.#context)
  }

  async reload(): Promise<void> {
    await this.#page.goto(this.#url)
    await this.#page.waitForSelector('textarea')
  }

  async say(text: string): Promise<void> {
    await this.#page.fill('textarea', text)
    await this.#page.keyboard.press('Enter')
  }

  async press(button: 'Approve' | 'Deny'): Promise<void> {
    await this.#page.getByRole('button', { name: button, exact: true }).click()
  }

  /** While an answer is written, the button for sending stops it. */
  async stop(): Promise<void> {
    await this.#page.click('[data-testid=copilot-send-button]')
  }

  /** From now on no result of a tool is sent: as if the page were closed before it could. */
  async loseResults(): Promise<void> {
    const hasResult = /"role":\s*"tool"/
    await this.#page.route('**/run', route =>
      hasResult.test(route.request().postData() ?? '') ? route.abort() : route.continue(),
    )
  }

  async reconnect(): Promise<void> {
    await this.#page.unroute('**/run')
  }

  view(): Promise<CopilotView> {
    return this.#page.$eval('body', body => {
      const kinds = ['copilot-user-message', 'copilot-assistant-message'].map(kind => `[data-testid=${kind}]`)
      const messages = [...body.querySelectorAll(kinds.join())]
      return {
        texts: messages.map(message => message.textContent?.trim() ?? '').filter(text => text !== ''),
        isRunning: body.querySelector('[data-copilot-running=true]') !== null,
        question: body.querySelector('legend')?.textContent ?? '',
        color: body.querySelector('main')?.getAttribute('data-color') ?? '',
      }
    })
  }

  async sees(what: string, isIt: (view: CopilotView) => boolean): Promise<CopilotView> {
    for (const end = Date.now() + patienceMs; ; await sleep(100)) {
      const view = await this.view()
      if (isIt(view)) return view
      if (Date.now() > end) throw new Error(`never saw ${what}, but ${JSON.stringify(view).slice(0, 1_500)}`)
    }
  }

  screenshot(path: string): Promise<unknown> {
    return this.#page.screenshot({ path })
  }
}

const patienceMs = 60_000
