/** Creates a value for each name, and caches the most recently used ones, since creating one is expensive. */
export function recent<Value>(make: (name: string) => Value, count = 100): (name: string) => Value {
  const kept = new Map<string, Value>()
  return name => {
    const value = kept.get(name) ?? make(name)
    kept.delete(name)
    kept.set(name, value)
    for (const oldest of kept.keys()) {
      if (kept.size <= count) break
      kept.delete(oldest)
    }
    return value
  }
}
