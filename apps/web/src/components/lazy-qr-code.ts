import { createLazyComponent } from '../lib/lazy-component.tsx';

/** A text as a QR code. */
export const lazyQrCode = createLazyComponent(async () => (await import('./QrCode.tsx')).QrCode);
