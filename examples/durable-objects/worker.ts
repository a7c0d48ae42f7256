/** A Worker whose Durable Objects are threads: an agent that refunds orders. */
import { AntiphonThread } from 'antiphon/durable-objects'

interface Env {
  /** The URL of the provider; `https://api.anthropic.com` for the real one. */
  readonly PROVIDER: string
  readonly API_KEY: string
  readonly THREADS: { getByName(name: string): { fetch(request: Request): Promise<Response> } }
}

const tools = ['find_order', 'refund'].map(name => ({ name, input_schema: { type: 'object' } }))

export class Thread extends AntiphonThread<Env> {
  override settings() {
    return {
      thread: { for: 'anthropic' as const },
      model: async ({ messages, signal }: { messages: unknown[]; signal: AbortSignal }) => {
        const response = await fetch(`${this.env.PROVIDER}/v1/messages`, {
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            'x-api-key': this.env.API_KEY,
            'anthropic-version': '2023-06-01',
          },
          body: JSON.stringify({ model: 'claude-opus-4-5', max_tokens: 999, tools, messages }),
          signal,
        })
        if (!response.ok) throw new Error(`the provider answered ${response.status}: ${await response.text()}`)
        return response.json()
      },
      tools: {
        find_order: { execute: () => ({ order: 1042, paid: '89 EUR' }), replay: 'safe' as const },
        // A real bank gets the key, so that it refunds once however often it is asked.
        refund: {
          approval: true,
          execute: (_: object, { key }: { key: string }) => `refunded 89 EUR under the key ${key}`,
        },
      },
    }
  }
}

export default {
  /** /threads/NAME/...: a real Worker checks here who may use which thread. */
  async fetch(request: Request, env: Env): Promise<Response> {
    const [, first, name] = new URL(request.url).pathname.split('/')
    if (first !== 'threads' || !name) return new Response('not found', { status: 404 })
    return env.THREADS.getByName(decodeURIComponent(name)).fetch(request)
  },
}
