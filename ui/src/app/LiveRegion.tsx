// The two regions that screen readers listen to.
import { useEffect, useState } from 'react'
import { onAnnounced } from './live'

export function LiveRegion() {
  const [texts, setTexts] = useState(['', ''])
  useEffect(() => onAnnounced((polite, assertive) => setTexts([polite, assertive])), [])
  return (
    <div className="vh">
      <div role="status" aria-live="polite" data-testid="polite">
        {texts[0]}
      </div>
      <div role="alert" aria-live="assertive" data-testid="assertive">
        {texts[1]}
      </div>
    </div>
  )
}
