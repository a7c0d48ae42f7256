/** Work whose cost is known, for the counting of operations to tell apart. */
export const knownCosts: Record<string, { readonly isLinear: boolean; run(list: unknown[]): unknown }> = {
  'one loop': { isLinear: true, run: list => list.map(value => [value]) },
  'a sort': { isLinear: true, run: list => list.map((_, at) => (at * 7919) % list.length).sort((a, b) => a - b) },
  'a loop in a loop': {
    isLinear: false,
    run: list => {
      let count = 0
      for (const one of list) for (const other of list) if (one === other) count++
      return count
    },
  },
  'callbacks in a loop': { isLinear: false, run: list => list.map(one => list.filter(other => other === one)) },
  'a search in a loop': { isLinear: false, run: list => list.map(one => list.indexOf(one)) },
  'a slice in a loop': { isLinear: false, run: list => list.map((_, at) => list.slice(at)) },
  'a list that is copied in a loop': {
    isLinear: false,
    run: list => {
      let copy: unknown[] = []
      for (const value of list) copy = [...copy, value]
      return copy
    },
  },
  'a record that is copied in a loop': {
    isLinear: false,
    run: list => {
      let copy: Record<string, unknown> = {}
      for (const [at, value] of list.entries()) copy = { ...copy, [`key_${at}`]: value }
      return copy
    },
  },
  'sets of a list in a loop': { isLinear: false, run: list => list.map(() => new Set(list).size) },
  'keys of a record in a loop': {
    isLinear: false,
    run: list => {
      const all = Object.fromEntries(list.map((value, at) => [`key_${at}`, value]))
      return list.map(() => Object.keys(all).length)
    },
  },
  'a text that is parsed in a loop': {
    isLinear: false,
    run: list => {
      const text = JSON.stringify(list)
      return list.map(() => JSON.parse(text))
    },
  },
  'a text that is searched in a loop': {
    isLinear: false,
    run: list => {
      const text = list.join(' ')
      return list.map(() => text.search(/[{[]/))
    },
  },
}
