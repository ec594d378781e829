/** An OpenAPI document of the size and awkwardness that the finished hub will have. */

const OPERATIONS = 180;

export function largeDocument() {
  const page = { $ref: '#/components/schemas/Page' };
  const operations = Array.from({ length: OPERATIONS }, (_, index) => [
    `/api/area-${index % 15}/things/{thing}/parts/${index}`,
    {
      get: {
        tags: [`area ${index % 15}`],
        operationId: `part_${index}`,
        summary: `Read part number ${index}`,
        security: [{ token: [] }],
        parameters: [{ name: 'thing', in: 'path' }],
        responses: { 200: { description: 'It.', content: { 'application/json': { schema: page } } } },
      },
    },
  ]);
  return {
    openapi: '3.0.3',
    info: { title: 'A large API', version: '9.9.9' },
    paths: { ...Object.fromEntries(operations), '/odd': { get: null, put: {}, post: 'text' } },
    components: {
      securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
      schemas: {
        Page: {
          type: 'object',
          properties: { items: { type: 'array', items: ref('Node') }, next: ref('Gone') },
        },
        Node: {
          allOf: [
            ref('Named'),
            {
              properties: {
                children: { type: 'array', items: ref('Node') },
                content: { oneOf: [ref('Named'), { type: 'string' }] },
              },
            },
          ],
        },
        Named: { type: 'object', required: ['name'], properties: { name: { type: 'string' } } },
      },
    },
  };
}

/** @param {string} name */
function ref(name) {
  return { $ref: `#/components/schemas/${name}` };
}
