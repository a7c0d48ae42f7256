import { endOfString } from './json-spans.ts'

/**
 * Whether parsing a JSON text takes at least `max` bytes of memory. The parser cannot be interrupted, and a text such
 * as `[{},{},{}]` expands to more than twenty times its length. Each element costs one slot in its list, and one in a
 * buffer that the parser keeps until it knows the length, which no heap limit counts.
 */
export const costsMore = (text: string, max: number): boolean => parseCost(text, max) > max

/** The number of bytes; any number above `max` if there are more. */
export function parseCost(text: string, max: number): number {
  let cost = text.length
  for (let at = 0; at < text.length && cost <= max; at++) {
    const code = text.charCodeAt(at)
    if (code === quote) {
      at = endOfString(text, at) - 1
      cost += 16
    } else if (code === brace) cost += 56
    else if (code === bracket) cost += 48
    else if (code === comma) cost += 16
  }
  return cost
}

const [quote, brace, bracket, comma] = [0x22, 0x7b, 0x5b, 0x2c]
