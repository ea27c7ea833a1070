import { z } from 'zod';

// zod is not to ask the browser whether it may compile schemas: the content security policy says no, and reports it.
if (typeof document !== 'undefined') z.config({ jitless: true });
