import { readStream } from './read-stream.ts'
import { type Refusal, refusals } from './refusals.ts'

/** The refusal of a history that a response is, or undefined for any other. The response can still be read. */
export async function readRefusal(response: Response, signal?: AbortSignal | undefined): Promise<Refusal | undefined> {
  if (!mayRefuse(response.status)) return undefined
  try {
    const { body } = response.clone()
    const read = body && (await readStream(body, refusalMax, signal))
    if (read instanceof Uint8Array) return findRefusal(new TextDecoder().decode(read))
    read?.cancel().catch(() => {})
  } catch {
    // Whoever sees the response next will see what is wrong with it.
  }
  return undefined
}

/** The refusal that a text speaks of, in the provider's own words. */
export function findRefusal(text: string): Refusal | undefined {
  const words = text.replaceAll(/\\n|[\\"'`]/g, '')
  return refusals.find(refusal => refusal.words.test(words))
}

/** Local servers refuse with 404 and 500 as well; whether it is a refusal, only the words say. */
export const mayRefuse = (status: number): boolean => statuses.has(status)

const statuses: ReadonlySet<number> = new Set([400, 404, 422, 500])

/** A longer answer is none. */
export const refusalMax = 256 * 1024
