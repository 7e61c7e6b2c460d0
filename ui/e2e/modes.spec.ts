// Every screen in every mode: axe finds nothing, and no page scrolls sideways.
import { expect, findings, test } from './fixtures'
import { MODES, plain } from './modes'
import { SCENES } from './scenes'

test.beforeEach(({ allowed }) => {
  // Offline, requests fail. axe copies the editors' sheets into style elements.
  allowed.push(/status of 404/, /ERR_INTERNET_DISCONNECTED/, /Applying inline style violates/)
})

for (const { name, open, needs } of SCENES) {
  test.describe(() => {
    // Offline the client opens by its service worker.
    test.use({ serviceWorkers: name.startsWith('offline') ? 'allow' : 'block' })
    test(name, async ({ staff, api, scan }) => {
      test.setTimeout(180_000)
      const lacking = await needs?.(api)
      test.skip(Boolean(lacking), lacking)
      await open({ page: staff, api, scan })
      const faults: string[] = []
      for (const mode of MODES) {
        await plain(staff)
        await mode.put(staff)
        for (const fault of await findings(staff)) faults.push(`${mode.name}: ${fault}`)
        const { sideways, wide } = await staff.evaluate(() => ({
          sideways: document.documentElement.scrollWidth,
          wide: document.documentElement.clientWidth,
        }))
        if (sideways > wide) faults.push(`${mode.name}: ${sideways} px on a page of ${wide}`)
      }
      expect(faults).toEqual([])
    })
  })
}
