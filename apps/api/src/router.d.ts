/** Every procedure of the registry. */
export declare const appRouter: import('@trpc/server').TRPCBuiltRouter<
  {
    ctx: import('./trpc.ts').Context;
    meta: import('./trpc.ts').Meta;
    errorShape: import('@trpc/server').TRPCDefaultErrorShape;
    transformer: false;
  },
  import('@trpc/server').TRPCDecorateCreateRouterOptions<{
    agents: import('@trpc/server').TRPCBuiltRouter<
      {
        ctx: import('./trpc.ts').Context;
        meta: import('./trpc.ts').Meta;
        errorShape: import('@trpc/server').TRPCDefaultErrorShape;
        transformer: false;
      },
      import('@trpc/server').TRPCDecorateCreateRouterOptions<{
        list: import('@trpc/server').TRPCQueryProcedure<{
          input:
            | {
                limit?: number | undefined;
                after?: string | undefined;
              }
            | undefined;
          output: {
            id: string;
            name: string;
            description: string;
            category: 'analytics' | 'automation' | 'chatbot' | 'creative' | 'language' | 'vision';
            capabilities: string[];
            contactEmail: string;
            website: string | null;
            pricingModel: 'enterprise' | 'free' | 'freemium' | 'paid';
            apiAccess: 'no' | 'planned' | 'yes';
            rating: number;
            reviewCount: number;
            createdAt: string;
          }[];
          meta: import('./trpc.ts').Meta;
        }>;
        byCategory: import('@trpc/server').TRPCQueryProcedure<{
          input: {
            category: 'analytics' | 'automation' | 'chatbot' | 'creative' | 'language' | 'vision';
          };
          output: {
            id: string;
            name: string;
            description: string;
            category: 'analytics' | 'automation' | 'chatbot' | 'creative' | 'language' | 'vision';
            capabilities: string[];
            contactEmail: string;
            website: string | null;
            pricingModel: 'enterprise' | 'free' | 'freemium' | 'paid';
            apiAccess: 'no' | 'planned' | 'yes';
            rating: number;
            reviewCount: number;
            createdAt: string;
          }[];
          meta: import('./trpc.ts').Meta;
        }>;
        search: import('@trpc/server').TRPCQueryProcedure<{
          input: {
            q: string;
          };
          output: {
            id: string;
            name: string;
            description: string;
            category: 'analytics' | 'automation' | 'chatbot' | 'creative' | 'language' | 'vision';
            capabilities: string[];
            contactEmail: string;
            website: string | null;
            pricingModel: 'enterprise' | 'free' | 'freemium' | 'paid';
            apiAccess: 'no' | 'planned' | 'yes';
            rating: number;
            reviewCount: number;
            createdAt: string;
          }[];
          meta: import('./trpc.ts').Meta;
        }>;
        get: import('@trpc/server').TRPCQueryProcedure<{
          input: {
            id: string;
          };
          output: {
            id: string;
            name: string;
            description: string;
            category: 'analytics' | 'automation' | 'chatbot' | 'creative' | 'language' | 'vision';
            capabilities: string[];
            contactEmail: string;
            website: string | null;
            pricingModel: 'enterprise' | 'free' | 'freemium' | 'paid';
            apiAccess: 'no' | 'planned' | 'yes';
            rating: number;
            reviewCount: number;
            createdAt: string;
          };
          meta: import('./trpc.ts').Meta;
        }>;
        register: import('@trpc/server').TRPCMutationProcedure<{
          input: {
            name: string;
            description: string;
            category: 'analytics' | 'automation' | 'chatbot' | 'creative' | 'language' | 'vision';
            capabilities?: string[] | undefined;
            contactEmail: string;
            website?: string | null | undefined;
            pricingModel?: 'enterprise' | 'free' | 'freemium' | 'paid' | undefined;
            apiAccess?: 'no' | 'planned' | 'yes' | undefined;
          };
          output: {
            id: string;
            name: string;
            description: string;
            category: 'analytics' | 'automation' | 'chatbot' | 'creative' | 'language' | 'vision';
            capabilities: string[];
            contactEmail: string;
            website: string | null;
            pricingModel: 'enterprise' | 'free' | 'freemium' | 'paid';
            apiAccess: 'no' | 'planned' | 'yes';
            rating: number;
            reviewCount: number;
            createdAt: string;
          };
          meta: import('./trpc.ts').Meta;
        }>;
      }>
    >;
    stats: import('@trpc/server').TRPCBuiltRouter<
      {
        ctx: import('./trpc.ts').Context;
        meta: import('./trpc.ts').Meta;
        errorShape: import('@trpc/server').TRPCDefaultErrorShape;
        transformer: false;
      },
      import('@trpc/server').TRPCDecorateCreateRouterOptions<{
        get: import('@trpc/server').TRPCQueryProcedure<{
          input: void;
          output: {
            totalAgents: number;
            categories: number;
            monthlyViews: number;
          };
          meta: import('./trpc.ts').Meta;
        }>;
      }>
    >;
  }>
>;
/** The type of the router, by which a client knows every procedure. */
export type AppRouter = typeof appRouter;
