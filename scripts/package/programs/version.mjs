console.log(globalThis.Deno?.version.deno ?? process.versions.bun ?? process.versions.node)
