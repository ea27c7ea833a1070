// A Fastify route that sends as many bytes as it is asked for.
import Fastify from 'fastify';

const bytes = Buffer.alloc(1_000_000, 'x');
const app = Fastify();
app.get<{ Params: { length: string } }>('/bytes/:length', (request, reply) =>
  reply.type('application/json').send(bytes.subarray(0, Number(request.params.length))),
);
console.log(await app.listen({ host: '127.0.0.1', port: 0 }));
process.once('SIGTERM', () => void app.close());
