// Runs a bundle in a worker, and prints what it says first.
const worker = new Worker(new URL(process.argv[2], import.meta.url), { type: 'module' })
worker.onerror = event => {
  console.error(`error: ${event.message}`)
  process.exit(1)
}
worker.onmessage = ({ data }) => {
  console.log(JSON.stringify(data))
  worker.terminate()
}
