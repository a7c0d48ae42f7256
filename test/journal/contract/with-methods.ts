import type { Store } from '../../../src/journal/stores/store.ts'

/** The store with some of its methods replaced. */
export function withMethods(store: Store, methods: Partial<Store>): Store {
  return new Proxy(store, {
    get(target, name) {
      const method = methods[name as keyof Store] ?? target[name as keyof Store]
      return typeof method === 'function' ? (method as () => unknown).bind(target) : method
    },
  })
}
