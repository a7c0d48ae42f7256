import { startProxy } from '../../src/integrations/proxy/index.ts'
import { attend, settingOf } from './inside.ts'
import { routes } from './settings.ts'

// The proxy between everybody and the providers. What a journal has drawn needs no healing: that it was healed is a error.
const service = attend({ stop: () => proxy.close() })
const { provider } = settingOf()
const proxy = await startProxy({
  to: { [routes.agents]: provider, [routes.plain]: provider },
  port: 0,
  onRepair({ route, repairs }) {
    service.count(`healed ${route}`)
    for (const { rule } of repairs) service.count(`rule ${rule}`)
    if (route === routes.agents) service.reportError(`a request of a journal was healed: ${JSON.stringify(repairs)}`)
  },
  onProxyError: ({ kind }) => service.count(`trouble ${kind}`),
  onError: error => service.reportError(`not healed: ${error}`),
})
service.ready(proxy.url)
